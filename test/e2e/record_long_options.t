#!/usr/bin/env bash
# Recordings that are cut into files while they go on, as perf cuts them: names, exit statuses, nothing lost between two
# files, each of which can be read alone.
set -u
# shellcheck source=test/e2e/lib.sh
. "$(dirname "$0")/lib.sh"
need_perf
need_recording -e cpu-clock
mkdir "$tmp/ours" "$tmp/theirs"
spin='while :; do :; done'
# shellcheck disable=SC2016 # for the inner shell
execs='i=0; while [ $i -lt 400 ]; do /bin/true; i=$((i+1)); done; exit 3'

# DIRECTORY: its file names, times as patterns and each name once.
names_in() {
	find "$1" -mindepth 1 -printf '%f\n' | sed -E 's/[0-9]{16}$/TIME/' | sort -u | paste -sd' '
}
clear_files() { rm -f "$tmp"/ours/* "$tmp"/theirs/*; }

# NAME OPTION...: perf and xprof end with the same status and leave files of the same names. Their statuses are in $status.
same_files() {
	local name=$1 theirs
	shift
	clear_files
	# perf 6.1 aborts while another recorder asks for build-ids of the whole system. Not through perf(), because the files are
	# removed each time.
	for _ in 1 2 3 4 5 6 7 8; do
		rm -f "$tmp"/theirs/*
		command perf record -N -e cpu-clock -F 499 -o "$tmp/theirs/perf.data" "$@" >"$tmp/perf.said" 2>&1
		theirs=$?
		[ $theirs -eq 134 ] || break
		sleep 0.5
	done
	"$xprof" record -e cpu-clock -F 499 -o "$tmp/ours/perf.data" "$@" >"$tmp/said" 2>&1
	status=$?
	is "$status $(names_in "$tmp/ours")" "$theirs $(names_in "$tmp/theirs")" "$name"
}

# shellcheck disable=SC2016 # for the inner shell
{
	same_files "files_by_time_have_perfs_names" --switch-output=1s -- sh -c 'timeout 1.6 sh -c "while :; do :; done"; exit 3'
	is "$status" 3 "with_the_commands_status"
	like "$(cat "$tmp/said")" "perf\.data\.20[0-9]{14}: [0-9,]+ samples?, .*xprof: 2 files, the last is" "each_file_is_said"
}
same_files "files_by_size_have_them_too" --switch-output=100K -- sh -c "$execs"
same_files "as_many_files_are_kept_as_by_perf" --switch-output=1s --switch-max-files 1 -- sh -c 'timeout 2.3 sh -c "while :; do :; done"; exit 3'
is "$(find "$tmp/ours" -type f | wc -l) $(find "$tmp/theirs" -type f | wc -l)" "1 1" "one_is"
same_files "a_recording_without_a_switch_has_perfs_name" --switch-output=1h -- sh -c 'exit 4'
same_files "so_has_one_with_the_time_in_its_name" --timestamp-filename -- true
same_files "a_recording_ends_at_its_largest_size_as_by_perf" --max-size=20K -- sh -c "$spin"
is "$status" 143 "and_ends_the_command"
like "$(cat "$tmp/said")" "--max-size" "which_is_said"
size=$(stat -c %s "$tmp/ours/perf.data")
ok "the_file_is_about_that_size" test "$size" -ge 20480 -a "$size" -lt 250000
same_files "ranges_of_time_end_the_recording_as_by_perf" -D 50-250,1050-1250 -- sh -c "$spin"
is "$status" 143 "and_end_the_command"

gap=$(perf_quietly script -i "$tmp/ours/perf.data" -F time | awk '{ sub(":", ""); if (NR > 1 && $1 - last > gap) gap = $1 - last; last = $1 } END { print (gap >= 0.3) }')
is "$gap" 1 "between_ranges_nothing_is_sampled"
same_files "samplers_may_never_start" -D -1 -- sh -c 'exit 5'
is "$(perf_samples "$tmp/ours/perf.data")" "$(perf_samples "$tmp/theirs/perf.data")" "then_there_are_no_samples"

# DIRECTORY: counts the execs among the samples that perf finds in its files.
exec_samples() {
	for file in "$1"/perf.data*; do perf_quietly script -i "$file" -F event; done | grep -c process_exec
}
# FILE: counts samples without a mapping or of processes without a command, which a reader cannot name.
unnamed() {
	perf_quietly script -i "$1" -F comm,ip,dso | grep -cE '^ *:[0-9]+ |\(\[unknown\]\)'
}
tracepoint=(-e sched:sched_process_exec)
if "$xprof" record -q "${tracepoint[@]}" -o "$tmp/probe.data" -- true 2>/dev/null; then
	clear_files
	"$xprof" record -q "${tracepoint[@]}" -e cpu-clock:u -F 1999 --switch-output=40K -o "$tmp/ours/perf.data" -- sh -c "$execs"
	is $? 3 "a_recording_of_many_files_has_the_commands_status"
	files=$(find "$tmp/ours" -type f | wc -l)
	ok "files_are_cut_by_size" test "$files" -ge 2 # a slow recorder seldom looks at the size
	is "$(exec_samples "$tmp/ours")" 401 "no_sample_is_lost_or_twice_in_all_files_together"
	missing=0
	for file in "$tmp"/ours/*; do missing=$((missing + $(unnamed "$file"))); done
	is "$missing" 0 "each_file_has_the_mappings_and_commands_of_its_samples"
	for file in "$tmp"/ours/*; do
		perf_quietly script -i "$file" -F dso | grep -oE '/[^)]+' | sort -u >"$tmp/sampled"
		perf_quietly buildid-list -i "$file" | sed 's/^[0-9a-f]* *//' | sort -u >"$tmp/listed"
		comm -23 "$tmp/sampled" "$tmp/listed"
	done >"$tmp/without"
	is "$(cat "$tmp/without")" "" "and_their_build_ids"

	like "$("$xprof" report -i "$(find "$tmp/ours" -type f | sort | sed -n 2p)" 2>&1)" "sh +(dash|libc|ld)|true +" "a_file_in_the_middle_is_a_recording"
else
	skip "no tracepoints here" "no_sample_is_lost_or_twice_in_all_files_together"
fi

# A file for each signal, and only the latest are kept.
clear_files
start "$xprof" record -e cpu-clock -F 499 --switch-output --switch-max-files 2 -o "$tmp/ours/perf.data" -- sh -c "$spin" 2>"$tmp/said"
recorder=$pid
# shellcheck disable=SC2317 # called by wait_until
has_said() { [ "$(grep -c 'perf\.data\.20' "$tmp/said")" -ge "$1" ]; }
wait_until 20 test -e "$tmp/ours/perf.data"
for number in 1 2 3; do
	kill -USR2 "$recorder"
	ok "signal_${number}_ends_a_file" wait_until 20 has_said "$number"
done
is "$(find "$tmp/ours" -name 'perf.data.2*' | wc -l)" 2 "only_the_latest_are_kept"
ok "the_last_one_is_being_written" test -e "$tmp/ours/perf.data"
kill -INT "$recorder"
wait "$recorder"
is "$?" 130 "a_recording_that_is_interrupted_ends_by_the_signal"
is "$(names_in "$tmp/ours")" "perf.data.TIME" "all_files_have_their_time"
readable=0
for file in "$tmp"/ours/*; do perf_quietly script -i "$file" >/dev/null && readable=$((readable + 1)); done
is "$readable" 2 "perf_reads_what_is_kept"

clear_files
start "$xprof" record -q -a -g -e cpu-clock -F 199 --switch-output=signal -o "$tmp/ours/perf.data"
recorder=$pid
wait_until 20 test -e "$tmp/ours/perf.data"
sh -c "$execs"
kill -USR2 "$recorder"
wait_until 20 sh -c "ls '$tmp'/ours/perf.data.2*"
sh -c "$execs"
kill -INT "$recorder"
wait "$recorder"
ran=0 missing=0
for file in "$tmp"/ours/*; do
	perf_quietly script -i "$file" -F comm | grep -qx ' *sh *' && ran=$((ran + 1))
	missing=$((missing + $(perf_quietly script -i "$file" -F comm | grep -cE '^ *:[0-9]+ *$')))
done
is "$ran" 2 "both_files_of_the_whole_system_have_what_ran"
is "$missing" 0 "with_the_names_of_all_commands"

# --- commands

# TOOL DIRECTORY CHANNEL: a recording that is told everything; what each command is answered with is in $answers, its status in $status.
# shellcheck disable=SC2016 # for the inner shell
answers_of() {
	local tool=$1 directory=$2 channel=$3 command
	answers=
	rm -f "$tmp/control" "$tmp/ack"
	mkfifo "$tmp/control" "$tmp/ack"
	exec 8<>"$tmp/control" 9<>"$tmp/ack"
	start "$tool" record -D -1 -e '{cpu-clock,page-faults}' -F 499 --control "$channel" -o "$directory/perf.data" \
		-- sh -c "trap 'exit 7' TERM; $spin" 2>"$tmp/said"
	recorder=$pid
	for command in ping evlist 'evlist -F' 'evlist -g' enable 'disable cpu-clock' 'enable cpu-clock' snapshot bogus disable enable stop; do
		echo "$command" >&8
		[ "$command" != enable ] || sleep 0.3
		if [ "$command" = bogus ]; then
			read -r -t 0.5 answer <&9 || answer=none
		else
			read -r -t 20 answer <&9 || answer=none
		fi
		answers+="$command: $answer, "
	done
	wait "$recorder"
	status=$?
	exec 8>&- 9>&-
}
clear_files
fifo=fifo:$tmp/control,$tmp/ack
for _ in 1 2 3 4 5; do
	answers_of perf "$tmp/theirs" "$fifo"
	[ $status -eq 134 ] || break
done
theirs="$status $answers"
listed() { grep -E '^(cpu-clock|page-faults|\{)' "$tmp/said"; }
list=$(listed)
answers_of "$xprof" "$tmp/ours" "$fifo"
is "$status $answers" "$theirs" "commands_are_answered_as_by_perf"
is "$status" 7 "stop_ends_the_command"
is "$(listed)" "$list" "events_are_listed_as_by_perf"
ok "samples_are_taken_while_enabled" test "$(perf_samples "$tmp/ours/perf.data")" -gt 20
like "$(cat "$tmp/said")" "events enabled.*event cpu-clock disabled" "what_was_done_is_said"
for _ in 1 2 3 4 5; do
	answers_of perf "$tmp/theirs" fd:8,9
	[ $status -eq 134 ] || break
done
theirs="$status $answers"
answers_of "$xprof" "$tmp/ours" fd:8,9
is "$status $answers" "$theirs" "commands_on_descriptors_are_answered_as_by_perf"

clear_files
rm -f "$tmp/control"
mkfifo "$tmp/control"
exec 8<>"$tmp/control"
start "$xprof" record -q -D -1 -e cpu-clock -F 499 --switch-output --control fd:8 -o "$tmp/ours/perf.data" -- sh -c "$spin"
recorder=$pid
wait_until 20 test -e "$tmp/ours/perf.data"
printf 'snapshot\nenable\n' >&8
wait_until 20 sh -c "ls '$tmp'/ours/perf.data.2*"
sleep 0.3
echo stop >&8
wait "$recorder"
exec 8>&-
is "$(find "$tmp/ours" -type f | wc -l)" 2 "a_snapshot_begins_the_next_file"
counts=$(for file in "$tmp"/ours/*; do [ "$(perf_samples "$file")" -gt 0 ] 2>/dev/null && echo some || echo none; done | paste -sd' ')
is "$counts" "none some" "samples_are_in_the_file_that_is_written_when_they_come"
status_is 1 "commands_from_nowhere_are_an_error" "$xprof" record --control "fifo:$tmp/nothing" -e cpu-clock -o "$tmp/x" -- true
like "$output" "mkfifo" "whose_remedy_is_said"

# --- the flight recorder

mkdir "$tmp/flight"
# As many hits as the ring holds, and far more: the last ones stay, as with perf. On one CPU, since each has its ring.
# shellcheck disable=SC2016 # for the inner shell
counts_up='i=0; while [ $i -lt 100000 ]; do i=$((i+1)); done'
# shellcheck disable=SC2016 # for the inner shell
hits='i=0; while [ $i -lt 3000 ]; do umask 022; i=$((i+1)); done'
if "$xprof" record -q -e syscalls:sys_enter_umask -o "$tmp/probe.data" -- true 2>/dev/null; then
	for _ in 1 2 3 4 5; do
		perf record -q -N --overwrite -m 8 -e syscalls:sys_enter_umask -o "$tmp/flight/theirs" -- taskset -c 0 sh -c "$hits" >/dev/null 2>&1 && break
	done
	"$xprof" record -q --overwrite -m 8 -e syscalls:sys_enter_umask -o "$tmp/flight/ours" -- taskset -c 0 sh -c "$hits"
	"$xprof" record -q -e syscalls:sys_enter_umask -o "$tmp/flight/all" -- sh -c "$hits"
	ours=$(perf_samples "$tmp/flight/ours") theirs=$(perf_samples "$tmp/flight/theirs")
	ok "an_ordinary_recording_has_all_hits" test "$(perf_samples "$tmp/flight/all")" -ge 3000
	ok "a_flight_recording_has_as_many_as_perfs" test "$ours" -gt 200 -a "$ours" -lt 2000 -a $((ours * 10)) -gt $((theirs * 7)) -a $((ours * 7)) -lt $((theirs * 10))
	is "$(perf_quietly script -i "$tmp/flight/ours" -F comm | sort | uniq -c | awk '{ print $1, $2 }')" "$ours sh" "with_their_command"
	is "$(perf_quietly evlist -v -i "$tmp/flight/ours" | grep -o 'write_backward: 1')" "write_backward: 1" "the_events_are_perfs"
	is "$(perf_quietly script -i "$tmp/flight/ours" -F time | sort -c 2>&1)" "" "the_oldest_first"
else
	skip "no tracepoints here" "a_flight_recording_has_as_many_as_perfs"
fi
clear_files
start "$xprof" record -a -e cpu-clock -F 499 --call-graph fp -m 16 --overwrite --switch-output -o "$tmp/ours/perf.data" 2>"$tmp/said"
recorder=$pid
wait_until 20 test -e "$tmp/ours/perf.data"
start sh -c "$spin"
sleep 1
sh -c "$execs"
kill -USR2 "$recorder"
wait_until 20 has_said 1
sh -c "$execs"
kill -INT "$recorder"
wait "$recorder"
kill "$pid"
is "$(find "$tmp/ours" -name 'perf.data.2*' | wc -l)" 2 "the_signal_writes_a_flight_recording"
broken=0 few=0
for file in "$tmp"/ours/*; do
	[ "$(perf_samples "$file")" -gt 100 ] || few=$((few + 1))
	broken=$((broken + $(perf_quietly script -i "$file" -F comm,ip,dso -G | grep -cE '^ *:[0-9]+ |\(\[unknown\]\)')))
done
is "$few" 0 "each_has_samples"
is "$broken" 0 "with_mappings_and_commands_of_processes_that_have_ended_too"
unlike "$(for file in "$tmp"/ours/*; do perf_quietly script -i "$file" -F comm,cpu,time; done | sort | uniq -d)" "." "none_is_in_two_of_them"
"$xprof" record -q -g --overwrite -e cpu-clock -F 499 -o "$tmp/flight/stacks" -- sh -c "$counts_up"
whole=$(perf_quietly script -i "$tmp/flight/stacks" -F comm,ip,sym | grep -c '_start')
ok "stacks_are_whole" test $((whole * 10)) -gt $(($(perf_samples "$tmp/flight/stacks") * 8))
status_is 2 "a_size_that_is_never_reached_is_wrong_usage" "$xprof" record --overwrite --switch-output=1M -o "$tmp/x" -- true

status_is 2 "a_condition_that_is_none_is_wrong_usage" "$xprof" record --switch-output=often -o "$tmp/x" -- true
like "$output" "neither a size" "it_says_what_there_is"
status_is 2 "a_pipe_cannot_be_cut" "$xprof" record --switch-output=1s -o - -- true
status_is 2 "files_that_are_not_made_cannot_be_kept" "$xprof" record --switch-max-files 2 -o "$tmp/x" -- true

# No room for the next file: complete ones stay.
mkdir "$tmp/small"
if mount -t tmpfs -o size=256k none "$tmp/small" 2>/dev/null; then
	status_is 1 "a_disk_that_is_full_when_files_switch_is_an_error" "$xprof" record -e cpu-clock -F 3999 --call-graph fp -z0 \
		--switch-output=40K -o "$tmp/small/perf.data" -- sh -c "$spin"
	like "$output" "free some space" "with_its_remedy"
	broken=0 whole=0
	for file in "$tmp"/small/*; do
		if "$xprof" script -i "$file" >/dev/null 2>&1; then whole=$((whole + 1)); else broken=$((broken + 1)); fi
	done
	ok "the_files_before_stay" test "$whole" -ge 2
	is "$broken" 0 "and_all_can_be_read"
	umount "$tmp/small"
else
	skip "no file system can be mounted here" "a_disk_that_is_full_when_files_switch_is_an_error"
fi
done_testing
