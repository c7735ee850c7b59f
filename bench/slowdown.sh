#!/usr/bin/env bash
# Measures how much recording the whole system slows a program down: the wall time of a program that only computes, in pairs of
# runs with and without a recorder, one right after the other. The order within a pair changes from pair to pair. Prints the
# median of the pairs' ratios with its 95% interval (of order statistics, which assumes nothing about how times are
# distributed), and as a control the same for pairs without any recorder: its interval has to hold 1.
#
# PAIRS=30, SLOWDOWN_RATE=99 and SLOWDOWN_RECORDERS="none xprof perf-dwarf-z" choose; SLOWDOWN_PROGRAM=COMMAND is measured
# instead, one copy on each CPU.
#
# usage: slowdown.sh
set -eu
cd "$(dirname "$0")/.."
xprof=$(realpath "${XPROF:-${BUILD:-build}/xprof}")
work=$(realpath "${BUILD:-build}")/bench/slowdown
pairs=${PAIRS:-30}
rate=${SLOWDOWN_RATE:-99}
cpus=$(getconf _NPROCESSORS_ONLN)
mkdir -p "$work"
cd "$work"

# Some seconds, on a stack of some depth, with memory that fits into the cache.
# shellcheck disable=SC2016 # for awk
program=${SLOWDOWN_PROGRAM:-'awk "function f(n) { return n < 2 ? n : f(n - 1) + f(n - 2) } BEGIN { print f(25); for (i = 0; i < 3000000; i++) s += i * i % 7; print s }"'}

# NAME: the command of that recorder, one word a line; nothing for none
recorder() {
	case $1 in
	none) ;;
	xprof) printf '%s\n' "$xprof" record -q -a -g -F "$rate" -o xprof.data -- ;;
	xprof-fp) printf '%s\n' "$xprof" record -q -a --call-graph fp -F "$rate" -o xprof.data -- ;;
	perf-dwarf-z) printf '%s\n' perf record -q -B -a --call-graph dwarf -F "$rate" -z -o perf.data -- ;;
	perf-fp) printf '%s\n' perf record -q -B -a --call-graph fp -F "$rate" -o perf.data -- ;;
	*)
		echo "slowdown: no recorder is called '$1'" >&2
		return 1
		;;
	esac
}

# The recorded command is a shell that measures how long the program takes, so that the recorder's work before and after it does
# not count.
# shellcheck disable=SC2016 # for that shell
inner='TIMEFORMAT=%3R; { time { for ((i = 0; i < $2; i++)); do bash -c "$1" >/dev/null & done; wait; }; } 2>wall'

# NAME: milliseconds
wall_ms() {
	local prefix=() try
	mapfile -t prefix < <(recorder "$1")
	for try in 1 2 3; do # perf 6.1 aborts now and then
		rm -f wall
		"${prefix[@]}" bash -c "$inner" bash "$program" "$cpus" >/dev/null 2>recorder.log </dev/null && break
		[ "$try" -lt 3 ] || {
			echo "slowdown: $1 failed: $(head -c 300 recorder.log)" >&2
			return 1
		}
	done
	tr -d . <wall | sed 's/^0*//'
}

# Ratios, one a line: median, interval, count
summary() {
	sort -n | awk -v name="$1" '
		{ ratio[NR] = $1 }
		END {
			# The largest k for which the interval from the k-th to the k-th last ratio misses the median in at most 5%.
			sum = 0
			term = 0.5 ^ NR
			for (k = 0; k <= NR && 2 * (sum + term) <= 0.05; k++) {
				sum += term
				term *= (NR - k) / (k + 1)
			}
			middle = NR % 2 ? ratio[(NR + 1) / 2] : (ratio[NR / 2] + ratio[NR / 2 + 1]) / 2
			printf "%-14s %9.4f   ", name, middle
			if (k > 0)
				printf "%.4f to %.4f   %d pairs\n", ratio[k], ratio[NR - k + 1], NR
			else
				printf "(too few pairs for an interval)   %d pairs\n", NR
		}'
}

printf 'a program that computes on %s CPUs, whole system recorded at %s Hz: wall time with / without\n' "$cpus" "$rate"
for name in ${SLOWDOWN_RECORDERS:-none xprof perf-dwarf-z}; do
	wall_ms none >/dev/null # warms up
	for ((pair = 0; pair < pairs; pair++)); do
		if ((pair % 2)); then
			without=$(wall_ms none)
			with=$(wall_ms "$name")
		else
			with=$(wall_ms "$name")
			without=$(wall_ms none)
		fi
		awk -v with="$with" -v without="$without" 'BEGIN { print with / without }'
	done >"$name.ratios"
	[ "$name" != none ] && label=$name || label="none (control)"
	summary "$label" <"$name.ratios"
	rm -f ./*.data ./*.data.old
done
