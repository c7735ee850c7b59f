#!/usr/bin/env bash
# The shares in recordings of the demo workload equal those that the workload measured itself.
set -u
# shellcheck source=test/e2e/lib.sh
. "$(dirname "$0")/lib.sh"
need_perf
need_recording -e cpu-clock

record_demo() {
	"$xprof" record -q "$@" -o "$data" -- "$demo" 2 >"$truth"
}

# NAME RECORD_OPTION...
check_recording() {
	local name=$1 data=$tmp/$1.data truth=$tmp/$1.truth
	shift
	ok "${name}_succeeds" record_demo "$@"
	perf_demo_samples "$data" >"$tmp/$name.samples"
	shares_are_true "${name}_has_true_shares_as_perf_reads_it" "$truth" <"$tmp/$name.samples"
	"$xprof" report --no-inline -i "$data" --folded --weight=samples --comms workload |
		awk '{ weight = $NF; sub(/ [0-9]+$/, ""); n = split($0, frame, ";"); print weight, frame[n] }' |
		sed -E 's/\((unsigned |long|int|, )+\)( const)?$//' >"$tmp/$name.folded"
	shares_are_true "${name}_has_true_shares_as_xprof_reads_it" "$truth" <"$tmp/$name.folded"
}

check_recording recording_of_the_workload -F 1999
check_recording recording_with_call_chains -F 1999 -g
check_recording recording_of_the_system -F 999 -a -g
check_recording recording_by_period -e cpu-clock -c 777777

done_testing
