#!/usr/bin/env bash
# Exit status, signals and files of `xprof record`: the workload's status is xprof's own, and every end of a recording leaves a
# file that perf opens.
set -u
# shellcheck source=test/e2e/lib.sh
. "$(dirname "$0")/lib.sh"
need_perf
need_recording -e cpu-clock
data=$tmp/perf.data

record() {
	"$xprof" record -q -o "$data" "$@"
}

status_is 0 "status_of_a_workload_that_succeeds" record -- true
status_is 7 "status_of_a_workload_that_fails" record -- sh -c 'exit 7'
status_is 143 "status_of_a_workload_that_was_killed_is_128_and_the_signal" record -- sh -c 'kill -TERM $$'
status_is 1 "status_of_a_command_that_does_not_exist" record -- "$tmp/no-such-command"
like "$output" "^xprof: .*no-such-command.*" "a_command_that_does_not_exist_is_named"
is "$(wc -l <<<"$output")" 1 "the_message_is_one_line"
status_is 2 "status_of_an_unknown_option" record --no-such-option -- true
status_is 1 "status_of_an_unknown_event" record -e no-such-event -- true
like "$output" "no-such-event" "an_unknown_event_is_named"
status_is 1 "status_of_a_process_that_does_not_exist" record -p 4194304
like "$output" "4194304" "a_process_that_does_not_exist_is_named"
status_is 1 "status_of_a_file_that_cannot_be_written" "$xprof" record -q -o "$tmp/no/such/dir/f" -- true
like "$output" "$tmp/no/such/dir" "a_file_that_cannot_be_written_is_named"

rm -f "$data" "$data.old"
record -- true
is "$(stat -c %a "$data")" 600 "the_file_is_for_its_owner_only"
first=$(cksum <"$data")
record -- true
is "$(cksum <"$data.old")" "$first" "an_older_file_is_kept_as_old"

# From here on the test looks at the file: how many samples does perf read?
record -g -F 1999 -- "$demo" 1 >"$tmp/truth"
samples=$(perf_samples "$data")
ok "a_finished_file_has_the_samples_of_its_workload" test "${samples:-0}" -gt 100

for signal in INT TERM; do
	rm -f "$data"
	start "$xprof" record -q -g -F 1999 -o "$data" -- "$demo" 30 >"$tmp/truth"
	ok "recording_before_SIG${signal}_has_begun" wait_until 20 test -s "$data"
	sleep 1
	workload=$(pgrep -P "$pid")
	kill -$signal "$pid"
	wait "$pid" 2>/dev/null
	samples=$(perf_samples "$data")
	ok "SIG${signal}_leaves_a_file_that_perf_reads" test "${samples:-0}" -gt 100
	status_is 1 "SIG${signal}_ends_the_workload_too" kill -0 "$workload"
done

rm -f "$data"
start "$xprof" record -q -a -g -F 1999 -o "$data" -- "$demo" 30 >"$tmp/truth"
wait_until 20 test -s "$data"
sleep 3
started+=("$(pgrep -P "$pid")") # the workload will outlive its recorder
kill -KILL "$pid"
wait "$pid" 2>/dev/null
samples=$(perf_samples "$data")
ok "SIGKILL_leaves_a_file_that_perf_reads" test "${samples:-0}" -gt 100

# A full disk: the part written before it was full can be read.
if mkdir "$tmp/small" && mount -t tmpfs -o size=1m none "$tmp/small" 2>/dev/null; then
	status_is 1 "status_of_a_recording_that_fills_the_disk" \
		"$xprof" record -q -a --call-graph fp -F 9999 -z0 -o "$tmp/small/f" -- "$demo" 3
	like "$output" "No space left" "a_full_disk_is_named"
	samples=$(perf_samples "$tmp/small/f")
	ok "a_full_disk_leaves_a_file_that_perf_reads" test "${samples:-0}" -gt 100
	umount "$tmp/small"
else
	skip "no tmpfs can be mounted here" "a_recording_that_fills_the_disk"
fi

done_testing
