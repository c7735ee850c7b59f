#!/usr/bin/env bash
# xprof reads perf's recordings, in every container and with every option that changes the layout, with perf's own sample counts
# and period sums of each event.
set -u
# shellcheck source=test/e2e/lib.sh
. "$(dirname "$0")/lib.sh"
need_perf

# shellcheck disable=SC2016 # the shell of the workload expands it
# Some milliseconds of work, a fork and an exec.
workload=(sh -c 'i=0; while [ "$i" -lt 60000 ]; do i=$((i + 1)); done; true | cat')

PERF_CONFIG=/dev/null perf record -q -e cpu-clock -o "$tmp/probe.data" -- true 2>"$tmp/probe.err" ||
	skip_all "perf cannot record here: $(head -1 "$tmp/probe.err")"

# FILE: "EVENT SAMPLES PERIOD" of each event, by perf.
by_perf() {
	perf_quietly script -i "$1" -F event,period </dev/null |
		awk 'NF == 2 && $2 ~ /:$/ { sub(/:$/, "", $2); n[$2]++; sum[$2] += $1 }
			END { for (e in n) printf "%s %d %d\n", e, n[e], sum[e] }' | sort
}

# The same by xprof; FILE may be -. PERIOD is that of samples that have no such field.
by_xprof() {
	"$xprof" dump --json --records --type SAMPLE -i "$1" 2>"$tmp/xprof.err" |
		sed -nE 's/.*"event":"([^"]*)".*"period":([0-9]+).*/\1 \2/p; t; s/.*"event":"([^"]*)".*/\1/p' |
		awk -v period="${2-0}" '{ n[$1]++; sum[$1] += NF == 2 ? $2 : period } END { for (e in n) printf "%s %d %d\n", e, n[e], sum[e] }' | sort
}

# NAME FILE [PERIOD]
sums_are_equal() {
	local expected
	expected=$(by_perf "$2")
	if [ -z "$expected" ]; then
		perf_quietly script -i "$2" >/dev/null </dev/null
		if [ $? -gt 128 ]; then
			skip "perf crashes on what it recorded" "$1"
			return
		fi
	fi
	ok "$1: perf has samples" test -n "$expected"
	is "$(by_xprof "$2" "${3-0}")" "$expected" "$1: the same samples and periods"
}

# NAME OPTION...; the last option of a NAME_period is its period
recording() {
	local name=$1 period=0
	shift
	if ! PERF_CONFIG=/dev/null perf record -q -o "$tmp/$name.data" "$@" -- "${workload[@]}" >"$tmp/$name.log" 2>&1; then
		ok "$name # SKIP perf record $*: $(head -1 "$tmp/$name.log")" true
		return
	fi
	case $name in
	*_period) period=${*: -1} ;;
	esac
	sums_are_equal "$name" "$tmp/$name.data" "$period"
}

recording plain -e cpu-clock
recording call_graph -e cpu-clock -g
recording dwarf -e cpu-clock --call-graph dwarf
recording whole_system -e cpu-clock -a
recording several_events -e cpu-clock,page-faults,context-switches
recording fixed_period -e cpu-clock -c 500000
recording frequency_for_a_period -e cpu-clock --no-period -F 2000
recording tracepoint -e sched:sched_switch,cpu-clock -a
recording compressed -e cpu-clock -g -z
recording threads -e cpu-clock -a --threads
recording compressed_threads -e cpu-clock -a -z --threads
recording build_ids_in_mmap -e cpu-clock --buildid-mmap
recording switches_and_namespaces -e cpu-clock --switch-events --namespaces
recording registers -e cpu-clock --user-regs=ip,sp --intr-regs=ip,sp
recording addresses_and_weights -e cpu-clock -d --phys-data --data-page-size --code-page-size --weight

for options in "-g" "-z"; do
	# shellcheck disable=SC2086 # no option is an option too
	PERF_CONFIG=/dev/null perf record -q -e cpu-clock $options -o - -- "${workload[@]}" >"$tmp/pipe.data" 2>/dev/null
	expected=$(by_perf "$tmp/pipe.data")
	is "$(by_xprof "$tmp/pipe.data")" "$expected" "a pipe's data in a file ($options): the same samples and periods"
	is "$(cat -- "$tmp/pipe.data" | by_xprof -)" "$expected" "a pipe ($options): the same samples and periods"
done

done_testing
