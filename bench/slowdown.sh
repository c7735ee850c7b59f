#!/usr/bin/env bash
# Measures how much recording the whole system slows programs down. Stock programs without frame pointers run on, one on each CPU, and
# write a byte after each few milliseconds of work. How much they do in a span of time is compared with a span beside a recorder that
# has begun some seconds before, one right after the other; the order within a pair changes from pair to pair. (The rows "startup" of
# bench.sh show what the beginning of a recording costs.) Prints the median of the pairs' ratios with its 95% interval (of order
# statistics, which assumes nothing about how times are distributed), and as a control the same for the two spans without a recorder
# that lie side by side in each two pairs: its interval has to hold 1.
#
# PAIRS=30, SLOWDOWN_SECONDS=10 of a span, SLOWDOWN_RATE=99 and SLOWDOWN_RECORDERS="xprof perf-dwarf-z" choose.
#
# usage: slowdown.sh
set -eu
cd "$(dirname "$0")/.."
xprof=$(realpath "${XPROF:-${BUILD:-build}/xprof}")
work=$(realpath "${BUILD:-build}")/bench/slowdown
pairs=${PAIRS:-30}
seconds=${SLOWDOWN_SECONDS:-10}
rate=${SLOWDOWN_RATE:-99}
cpus=$(getconf _NPROCESSORS_ONLN)
settle=2 # seconds after a recorder's start or end
mkdir -p "$work"
cd "$work"
rm -f done.*

python_rounds='
import json, os, re
rows = [{"name": "row%d" % i, "value": i} for i in range(200)]
def walk(depth):
    return len(json.loads(json.dumps(rows))) if depth == 0 else walk(depth - 1)
while True:
    for i in range(4):
        walk(20)
        re.findall("a(b|c)+d", "abcd" * 200)
    os.write(1, b".")
'
awk_rounds='function f(n) { return n < 2 ? n : f(n - 1) + f(n - 2) } BEGIN { for (;;) { f(20); printf "."; fflush() } }'

begin_programs() {
	local cpu
	for ((cpu = 0; cpu < cpus; cpu++)); do
		if ((cpu % 2)); then
			awk "$awk_rounds" >"done.$cpu" &
		else
			python3 -c "$python_rounds" >"done.$cpu" &
		fi
		programs+=($!)
	done
}

programs=()
recorder=
trap 'kill ${programs[*]} $recorder 2>/dev/null || :' EXIT

# NAME: the command of that recorder, one word a line
recorder() {
	case $1 in
	xprof) printf '%s\n' "$xprof" record -q -a -g -F "$rate" -o xprof.data ;;
	xprof-fp) printf '%s\n' "$xprof" record -q -a --call-graph fp -F "$rate" -o xprof.data ;;
	perf-dwarf-z) printf '%s\n' perf record -q -B -a --call-graph dwarf -F "$rate" -z -o perf.data ;;
	perf-fp) printf '%s\n' perf record -q -B -a --call-graph fp -F "$rate" -o perf.data ;;
	*)
		echo "slowdown: no recorder is called '$1'" >&2
		return 1
		;;
	esac
}

# What each program has done so far, and when: rounds of all programs, then seconds.
look() {
	stat -c %s done.* | xargs
	printf '%s\n' "$EPOCHREALTIME"
}

# FILE: rounds a second of each program in a span of time, one a line
measure_span() {
	local before after
	before=$(look | xargs)
	sleep "$seconds"
	after=$(look | xargs)
	awk -v before="$before" -v after="$after" 'BEGIN {
		count = split(before, b, " ")
		split(after, a, " ")
		for (i = 1; i < count; i++)
			print (a[i] - b[i]) / (a[count] - b[count])
	}' >"$1"
}

measure_without() {
	sleep "$settle"
	measure_span without
}

# NAME
measure_with() {
	local command
	mapfile -t command < <(recorder "$1")
	"${command[@]}" 2>recorder.log </dev/null &
	recorder=$!
	sleep "$settle"
	measure_span with
	kill -INT "$recorder" 2>/dev/null || {
		echo "slowdown: $1 failed: $(head -c 300 recorder.log)" >&2
		return 1
	}
	wait "$recorder" || : # perf ends by the signal
	recorder=
}

# FILE FILE: the mean over the programs of how much longer the same work takes in the second span
ratio() {
	paste "$1" "$2" | awk '{ sum += $1 / $2 } END { print sum / NR }'
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

begin_programs
printf 'programs on %s CPUs, whole system recorded at %s Hz: time without a recorder = 1\n' "$cpus" "$rate"
for name in ${SLOWDOWN_RECORDERS:-xprof perf-dwarf-z}; do
	: >"$name.ratios"
	: >control.ratios
	for ((pair = 0; pair < pairs; pair++)); do
		if ((pair % 2)); then
			mv without before
			measure_without
			ratio before without >>control.ratios
			measure_with "$name"
		else
			measure_with "$name"
			measure_without
		fi
		ratio without with >>"$name.ratios"
	done
	summary "$name" <"$name.ratios"
	summary "  control" <control.ratios
	rm -f ./*.data ./*.data.old
done
