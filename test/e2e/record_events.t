#!/usr/bin/env bash
# The samples of `xprof record`, as perf reads them: events, rates, modifiers, call stacks, containers.
set -u
# shellcheck source=test/e2e/lib.sh
. "$(dirname "$0")/lib.sh"
need_perf
need_recording -e cpu-clock
data=$tmp/perf.data

# A second or so of user and kernel time, page faults, forks and execs.
busy() {
	# shellcheck disable=SC2016 # expanded by the inner shell
	"$xprof" record -o "$data" "$@" -- sh -c \
		'i=0; while [ $i -lt 60 ]; do i=$((i + 1)); j=0; while [ $j -lt 2000 ]; do j=$((j + 1)); done; /bin/true; done'
}

# FIELDS: of every sample, sorted, each once.
script_fields() {
	perf_quietly script -i "$data" -F "$1" | sed 's/^ *//; s/ *$//' | sort -u
}

# The number that xprof prints at the end is the number that perf finds.
said_samples() {
	sed -nE 's/^xprof: .*: ([0-9,]+) samples? in .*/\1/p' <<<"$output" | tr -d ,
}

status_is 0 "recording_of_one_event" busy -e cpu-clock -F 1999
is "$(perf_samples "$data")" "$(said_samples)" "perf_finds_as_many_samples_as_were_said"
ok "there_are_some_samples" test "$(said_samples)" -gt 20
is "$(perf_quietly evlist -i "$data")" "cpu-clock" "one_event_is_one_event_in_the_file"
unlike "$(perf_quietly evlist -v -i "$data")" "IDENTIFIER" "a_single_event_needs_no_identifier"
like "$(perf_quietly report -i "$data" --header-only)" "cmdline : .*xprof record" "the_header_names_the_command"

# (cpu-clock at every nanosecond would take all of the CPU.)
status_is 0 "recording_of_several_events" busy -e minor-faults,page-faults -e context-switches -c 1
is "$(perf_quietly evlist -i "$data" | paste -sd,)" "minor-faults,page-faults,context-switches" \
	"several_events_keep_their_order"
is "$(perf_samples "$data")" "$(said_samples)" "perf_finds_the_samples_of_all_events"
like "$(perf_quietly script -i "$data" -F event | sort | uniq -c)" "page-faults" "page_faults_were_sampled"

busy -q -e cpu-clock:u -c 1000000
is "$(script_fields period)" 1000000 "a_fixed_period_is_every_samples_period"
unlike "$(perf_quietly report -i "$data" --stdio -s sym -g none)" "\[k\]" "with_modifier_u_there_is_no_kernel_sample"
busy -q -e page-faults:k -c 1
unlike "$(perf_quietly report -i "$data" --stdio -s sym -g none)" "\[\.\]" "with_modifier_k_there_is_no_user_sample"


output=$("$xprof" record -F 100000000 -o "$data" -- true 2>&1)
like "$output" "sampling at [0-9]+ Hz" "a_frequency_above_the_limit_is_lowered_and_said"
output=$("$xprof" record -o "$data" -- true 2>&1)
if [ "$(perf_quietly evlist -i "$data")" = cpu-clock ]; then
	like "$output" "no hardware counters.*recording cpu-clock instead" "the_fallback_to_cpu_clock_is_said"
else
	skip "this machine has hardware counters" "the_fallback_to_cpu_clock_is_said"
fi

# --- call stacks
"$xprof" record -q -g -F 1999 -o "$data" -- "$demo" 1 >"$tmp/truth"
depth=$(perf_quietly script -i "$data" -F ip,sym | awk 'NF == 0 { if (n > d) d = n; n = 0; next } { n++ } END { print d + 0 }')
ok "frame_pointer_chains_are_deep" test "$depth" -gt 5

"$xprof" record -q --call-graph dwarf,8192 -F 199 -o "$data" -- "$demo" 1 >"$tmp/truth"
started_in=$(perf_quietly script -i "$data" -F comm,ip,sym --comms workload | grep -cE '__libc_start|clone')
samples=$(perf_samples "$data")
ok "perf_unwinds_stack_dumps_to_their_root" test "$started_in" -gt $((samples / 2))
output=$("$xprof" record --call-graph dwarf,100000 -F 99 -o "$data" -- "$demo" 0.5 2>&1)
like "$output" "stack dumps of 64072 bytes" "a_stack_dump_that_is_too_large_is_cut_and_said"
is "$(perf_samples "$data")" "$(said_samples)" "the_largest_dumps_open_in_perf"

# --- standard output
"$xprof" record -q -F 1999 -o - -- sh -c "'$demo' 1 >/dev/null" >"$tmp/pipe.data"
samples=$(perf_quietly report -i - --stats <"$tmp/pipe.data" | awk '$1 == "SAMPLE" { print $3; exit }')
ok "perf_reads_a_recording_from_a_pipe" test "${samples:-0}" -gt 100
"$xprof" record -a -o - --duration 20 2>"$tmp/err" | head -c 1 >/dev/null
is "${PIPESTATUS[0]}" 1 "a_reader_that_leaves_ends_the_recording"
like "$(cat "$tmp/err")" "Broken pipe" "a_reader_that_leaves_is_said"

# --- branch stacks, which few virtual machines have
if perf record -q -B -b -o "$tmp/perf.data" -- true >/dev/null 2>&1; then
	"$xprof" record -b -o "$data" -- true 2>"$tmp/err"
	like "$("$xprof" dump -i "$data")" "branch_sample_type" "branches_are_recorded"
else
	status_is 1 "branches_that_this_machine_does_not_keep_are_an_error" "$xprof" record -b -o "$data" -- true
	like "$output" "records? branches" "that_says_what_is_missing"
	status_is 1 "software_events_have_no_branches" "$xprof" record -e page-faults -j any_ret,u -o "$data" -- true
fi
status_is 2 "a_filter_of_branches_that_does_not_exist_is_wrong_usage" "$xprof" record -j every -o "$data" -- true

# --- tracepoints, in a mount namespace of their own where tracefs is not mounted
tracepoints() {
	unshare -m sh -c 'test -d /sys/kernel/tracing/events ||
		mount -t tracefs nodev /sys/kernel/tracing || exit 77; exec "$@"' sh "$@" 2>&1
}
if tracepoints true >/dev/null; then
	# sh, then two programs: three execs
	tracepoints "$xprof" record -e sched:sched_process_exec -o "$data" -- sh -c '/bin/true; /bin/true; :' >"$tmp/said"
	is "$(perf_samples "$data")" 3 "every_exec_is_sampled"
	like "$(perf_quietly script -i "$data")" "sched_process_exec: filename=/bin/true" "the_fields_of_a_tracepoint_are_known"
	tracepoints "$xprof" record -a -e sched:sched_switch -e cpu-clock -o "$data" -- sleep 0.3 >"$tmp/said"
	is "$(perf_quietly evlist -i "$data" | grep -v '^#' | paste -sd,)" "sched:sched_switch,cpu-clock" "tracepoints_and_other_events_mix"
	output=$(cat "$tmp/said")
	is "$(perf_samples "$data")" "$(said_samples)" "perf_finds_the_samples_of_a_tracepoint"

	start unshare -m sh -c 'test -d /sys/kernel/tracing/events || mount -t tracefs nodev /sys/kernel/tracing
		exec "$@"' sh "$xprof" record -q -a -e sched:sched_switch -o "$tmp/killed.data"
	sleep 1.5
	kill -9 "$pid"
	wait "$pid" 2>/dev/null
	samples=$(perf_samples "$tmp/killed.data")
	ok "a_killed_recording_of_a_tracepoint_opens_in_perf" test "${samples:-0}" -gt 10
else
	skip "tracefs cannot be mounted here" "tracepoints"
fi
done_testing
