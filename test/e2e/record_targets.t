#!/usr/bin/env bash
# The targets of `xprof record`: the system, processes, threads, users, CPUs; and when they are sampled.
# shellcheck disable=SC2317 # functions that are called by the checks
set -u
# shellcheck source=test/e2e/lib.sh
. "$(dirname "$0")/lib.sh"
need_perf
need_recording -a -e cpu-clock
data=$tmp/perf.data

# A program with four threads that never sleep.
cat >"$tmp/threads.c" <<'C'
#include <pthread.h>
static volatile unsigned long sum;
static void *run(void *unused)
{
	for (;;)
		sum++;
	return unused;
}
int main(void)
{
	pthread_t thread;

	for (int i = 0; i < 3; i++)
		pthread_create(&thread, 0, run, 0);
	run(0);
}
C
"${CC:-cc}" -O1 -fno-omit-frame-pointer -pthread -o "$tmp/threads" "$tmp/threads.c" ||
	skip_all "no C compiler for the program that is recorded"
start "$tmp/threads"
threads=$pid
four_threads() { [ "$(find "/proc/$threads/task" -mindepth 1 -maxdepth 1 | wc -l)" -eq 4 ]; }
wait_until 10 four_threads

record() {
	"$xprof" record -q -e cpu-clock -F 999 -o "$data" "$@"
}
# FIELD: its values over all samples, each once.
values() {
	perf_quietly script -i "$data" -F "$1" | tr -d ' []' | sort -u | paste -sd,
}

ok "attaching_to_a_process" record -p "$threads" --duration 0.5
is "$(values pid)" "$threads" "only_the_process_is_sampled"
is "$(values tid | tr , '\n' | wc -l)" 4 "all_its_threads_are_sampled"
is "$(values comm)" "threads" "the_process_has_its_name"
like "$(perf_quietly report -i "$data" --stdio -g none -s dso,sym)" "threads +\[\.\] run" \
	"code_that_was_mapped_before_has_its_symbols"

tid=$(find "/proc/$threads/task" -mindepth 1 -maxdepth 1 -printf '%f\n' | sort -n | tail -1)
ok "attaching_to_a_thread" record -t "$tid" --duration 0.3
is "$(values tid)" "$tid" "only_the_thread_is_sampled"

ok "attaching_for_as_long_as_a_command_runs" record -p "$threads" -- sleep 0.3
is "$(values pid)" "$threads" "the_command_is_not_sampled"

last_cpu=$(($(getconf _NPROCESSORS_ONLN) - 1))
ok "recording_one_cpu" record -C "$last_cpu" --duration 0.3
is "$(values cpu | sed 's/^0*//')" "${last_cpu#0}" "only_that_cpu_is_sampled"
ours=$(values cpu)
perf record -q -N -e cpu-clock -F 999 -o "$data" -C "$last_cpu" -- sleep 0.3 >/dev/null 2>&1
is "$ours" "$(values cpu)" "as_by_perf"

# A program that is started on one CPU and works on another, which is the only one that is recorded.
if [ "$last_cpu" -gt 0 ] && taskset -c 0 true 2>/dev/null; then
	cat >"$tmp/moves.c" <<'C'
#define _GNU_SOURCE
#include <sched.h>
#include <stdlib.h>
#include <time.h>
static volatile unsigned long sum;
__attribute__((noinline)) void work_elsewhere(void)
{
	while (clock() < CLOCKS_PER_SEC / 4)
		for (int i = 0; i < 100000; i++)
			sum++;
}
int main(int count, char **arguments)
{
	cpu_set_t cpus;

	CPU_ZERO(&cpus);
	CPU_SET(atoi(arguments[count - 1]), &cpus);
	if (sched_setaffinity(0, sizeof(cpus), &cpus))
		return 1;
	work_elsewhere();
	return 0;
}
C
	"${CC:-cc}" -O1 -o "$tmp/moves" "$tmp/moves.c"
	ok "recording_a_cpu_that_a_program_moves_to" record -C "$last_cpu" -- taskset -c 0 "$tmp/moves" "$last_cpu"
	is "$(values cpu | sed 's/^0*//')" "${last_cpu#0}" "no_other_cpu_is_sampled"
	like "$(perf_quietly report -i "$data" --stdio -g none -s comm,dso,sym)" "moves +moves +\[\.\] work_elsewhere" \
		"what_it_did_before_on_other_cpus_is_known"
	unlike "$(values comm)" "(^|,):[0-9]" "every_process_has_its_name"
else
	skip "one CPU alone, or none can be chosen" "recording_a_cpu_that_a_program_moves_to"
fi

ok "recording_the_system_for_as_long_as_a_command_runs" record -a -- sleep 0.3
like "$(values pid)" "(^|,)$threads(,|$)" "the_system_includes_the_process"
like "$(perf_quietly script -i "$data" --show-mmap-events)" "PERF_RECORD_MMAP2 $threads/$threads: .*/threads" \
	"mappings_from_before_are_in_the_file"

if command -v setpriv >/dev/null && setpriv --reuid=65534 --clear-groups true 2>/dev/null; then
	chmod 755 "$tmp"
	start setpriv --reuid=65534 --clear-groups "$tmp/threads"
	nobody=$pid
	# shellcheck disable=SC2317 # called by wait_until
	is_running() { [ "$(readlink "/proc/$nobody/exe")" = "$tmp/threads" ]; }
	wait_until 30 is_running
	ok "recording_a_user" record -u 65534 --duration 0.3
	like ",$(values pid)," ",$nobody," "the_users_process_is_sampled"
	unlike ",$(values pid)," ",$threads," "other_users_are_not"
	kill -9 "$nobody"
else
	skip "cannot become another user" "recording_a_user"
fi

# The demo's work is done by a thread, which begins just when the events are opened.
missed=0
for ((attempt = 0; attempt < 10; attempt++)); do
	start "$demo" 20 >/dev/null
	record -F 999 -p "$pid" -- sleep 0.2
	[ -n "$(values pid)" ] || missed=$((missed + 1))
	kill -9 "$pid"
	wait "$pid" 2>/dev/null
done
is "$missed" 0 "threads_that_begin_while_events_are_opened_are_sampled"

# --- when
start "$xprof" record -q -e cpu-clock -o "$tmp/attached.data" -p "$threads"
ok "attached_recording_begins" wait_until 30 test -s "$tmp/attached.data"
kill -9 "$threads"
wait "$threads" 2>/dev/null
gone() { ! kill -0 "$pid"; }
ok "attached_recording_ends_with_its_process" wait_until 30 gone
wait "$pid"
is $? 0 "attached_recording_succeeds_when_its_process_is_killed"

"$xprof" record -q -e cpu-clock -o "$data" --duration 0.5 -- perl -e 'sleep 30; open(my $slept, ">", shift)' "$tmp/slept"
is $? 0 "a_command_that_is_ended_by_duration_is_a_success"
ok "duration_ends_a_recording_before_its_command_ends" test ! -e "$tmp/slept"

"$xprof" record -q -e cpu-clock -F 999 -o "$data" -D 400 -- timeout 1.5 "$tmp/threads"
first=$(perf_quietly report -i "$data" --header-only | sed -n 's/^# time of first sample : //p')
exec_time=$(perf_quietly script -i "$data" --show-task-events --show-mmap-events -F comm,tid,time,event |
	sed -nE 's/^.* ([0-9]+\.[0-9]+): +PERF_RECORD_COMM exec.*/\1/p' | head -1)
if [ -n "$first" ] && [ -n "$exec_time" ]; then
	ok "the_first_sample_comes_after_the_delay" awk -v a="$exec_time" -v b="$first" 'BEGIN { exit !(b - a > 0.3) }'
else
	skip "the workload was faster than the delay" "the_first_sample_comes_after_the_delay"
fi

# As with perf: a process that is named is recorded.
start sleep 30
sleeper=$pid
status_is 0 "a_process_beside_a_is_recorded" "$xprof" record -a -p "$sleeper" -e context-switches -o "$data" --duration 0.2
like "$output" "xprof: -a is ignored: -p chooses what is recorded" "and_that_is_said"
is "$(perf_quietly script -i "$data" --show-task-events -F pid | sort -u | wc -l)" 1 "and_nothing_else"
status_is 0 "a_user_beside_a_process_is_ignored" "$xprof" record -u root -p "$sleeper" -e context-switches -o "$data" --duration 0.2
like "$output" "xprof: -u is ignored: -p chooses what is recorded" "which_is_said"
kill "$sleeper"
done_testing
