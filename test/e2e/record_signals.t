#!/usr/bin/env bash
# Every signal to `xprof record`: the file is whole, the command does not go on unnoticed, and the status is the one that the
# signal's sender expects.
set -u
# shellcheck source=test/e2e/lib.sh
. "$(dirname "$0")/lib.sh"
need_perf
need_recording -e cpu-clock
data=$tmp/perf.data
ulimit -c 0

is_recording() {
	[ -s "$data" ] && pgrep -P "$pid" -x sleep >/dev/null
}

# A program that sleeps, recorded in the background: does it run, and with which process id?
begin() {
	rm -f "$data"
	start "$@" -q -a -e cpu-clock -o "$data" -- sleep 60
	wait_until 30 is_recording
	command=$(pgrep -P "$pid" -x sleep)
}

has_ended() {
	! kill -0 "$1" 2>/dev/null
}

# Waits for the last program that was started; its status is in $status.
collect() {
	wait "$pid" 2>/dev/null
	status=$?
}

# --- signals that end ------------------------------------------------------------------------------------

for signal in INT TERM HUP QUIT USR1 ALRM VTALRM PROF IO PWR XCPU RTMIN+3; do
	# The shell ignores INT and QUIT for background programs; perl restores the default.
	begin perl -e '$SIG{$_} = "DEFAULT" for qw(INT QUIT); exec @ARGV or die' "$xprof" record
	kill -s "$signal" "$pid"
	collect
is "$status" "$((128 + $(kill -l "$signal")))" "the_status_tells_of_SIG${signal}"
	ok "SIG${signal}_leaves_a_file_that_perf_reads" test "$(perf_samples "$data")" -gt 0
	is "$("$xprof" dump --summary -i "$data" 2>&1 | grep -ci "never finished\|cut short")" 0 \
		"SIG${signal}_leaves_a_finished_file"
	ok "SIG${signal}_ends_the_command" has_ended "$command"
done

# With Ctrl-C the command gets the signal, too. It may end as it likes: the recording was ended by SIGINT.
rm -f "$data"
start setsid perl -e '$SIG{INT} = "DEFAULT"; exec @ARGV or die' "$xprof" record -q -e cpu-clock -o "$data" -- \
	sh -c 'trap "exit 0" INT TERM; touch "$0"; while :; do sleep 0.1; done' "$tmp/ready"
wait_until 30 test -e "$tmp/ready"
kill -INT -- "-$pid"
collect
is "$status" 130 "after_Ctrl_C_the_status_is_SIGINTs_whatever_the_commands_is"

# --- signals that do not ----------------------------------------------------------------------------------

begin "$xprof" record
kill -USR2 "$pid"
kill -PIPE "$pid"
kill -XFSZ "$pid"
kill -TSTP "$pid"
wait_until 10 grep -q '^State:.*T' "/proc/$pid/status"
kill -CONT "$pid"
before=$(stat -c %s "$data")
ok "USR2_PIPE_XFSZ_and_a_stop_do_not_end_a_recording" \
	wait_until 30 sh -c 'test "$(stat -c %s "$0")" -gt "$1"' "$data" "$before"
kill -TERM "$pid"
collect
is "$status" 143 "and_SIGTERM_does_afterwards"

begin nohup "$xprof" record
kill -HUP "$pid"
sleep 0.2
ok "nohup_is_respected" kill -0 "$command"
kill -TERM "$pid"
collect

# --- commands that do not end ------------------------------------------------------------------------------

rm -f "$tmp/ready"
start "$xprof" record -e cpu-clock -o "$data" -- \
	sh -c 'trap "" TERM INT; touch "$0"; exec sleep 60' "$tmp/ready" 2>"$tmp/said"
wait_until 30 test -e "$tmp/ready"
command=$(pgrep -P "$pid")
started+=("$command")
kill -TERM "$pid"
ok "it_is_said_that_a_command_does_not_end" wait_until 30 grep -q "waiting for the command (process $command)" "$tmp/said"
ok "the_file_is_finished_meanwhile" test "$(perf_samples "$data")" -gt 0
kill -INT "$pid"
collect
is "$status" 143 "a_second_signal_ends_the_wait"
like "$(cat "$tmp/said")" "process $command\) is still running" "and_it_is_said_that_the_command_runs_on"
ok "which_is_true" kill -0 "$command"
kill -KILL "$command"

rm -f "$tmp/ready"
start "$xprof" record -q -e cpu-clock -o "$data" -- sh -c 'touch "$0"; exec sleep 60' "$tmp/ready"
wait_until 30 test -e "$tmp/ready"
command=$(pgrep -P "$pid")
kill -STOP "$command"
kill -TERM "$pid"
collect
is "$status" 143 "a_command_that_is_stopped_continues_to_its_end"

status_is 9 "the_status_of_a_command_is_known_where_children_are_forgotten" \
	perl -e '$SIG{CHLD} = "IGNORE"; exec @ARGV or die' "$xprof" record -q -e cpu-clock -o "$data" -- sh -c 'exit 9'

# --- limits ------------------------------------------------------------------------------------------------

rm -f "$data"
status_is 1 "status_at_the_limit_of_file_sizes" \
	bash -c 'ulimit -f 512; exec "$@"' limited "$xprof" record -g -e cpu-clock -F 9999 -o "$data" -- \
	sh -c 'while :; do :; done'
like "$output" "ulimit -f.*File too large" "the_limit_of_file_sizes_is_named"
ok "what_was_written_up_to_the_limit_can_be_read" test "$(perf_samples "$data")" -gt 100

# --- outputs that wait -------------------------------------------------------------------------------------

mkfifo "$tmp/fifo"
start "$xprof" record -q -a -e cpu-clock -o "$tmp/fifo" -- sleep 60
wait_until 30 pgrep -P "$pid"
command=$(pgrep -P "$pid")
sleep 0.3
kill -TERM "$pid"
collect
is "$status" 143 "waiting_for_the_reader_of_a_FIFO_can_be_ended"
ok "and_the_command_has_not_begun" wait_until 30 has_ended "$command"

start "$xprof" record -q -e cpu-clock -o "$tmp/fifo" -- true
timeout 60 cat "$tmp/fifo" >"$tmp/from_fifo"
collect
is "$status" 0 "a_FIFO_gets_the_recording_when_it_has_a_reader"
ok "which_perf_reads" sh -c 'perf report -i - --stats <"$0" >"$0.stats" 2>&1' "$tmp/from_fifo"
ok "and_it_is_a_FIFO_still" test -p "$tmp/fifo"

# A reader that has stopped reading: the pipe is full before long.
start "$xprof" record -q -a -e cpu-clock -F 20000 -g -o "$tmp/fifo" -- sleep 60
exec 9<"$tmp/fifo"
wait_until 30 pgrep -P "$pid"
command=$(pgrep -P "$pid")
sleep 2
kill -TERM "$pid"
ok "a_reader_that_does_not_read_holds_up_nothing" wait_until 30 has_ended "$pid"
collect
ok "nor_the_command" wait_until 30 has_ended "$command"
exec 9<&-

done_testing
