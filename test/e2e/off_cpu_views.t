#!/usr/bin/env bash
# The views of time off the CPU in reports: states, reasons for waits, wakers, durations; and the header's line.
set -u
# shellcheck source=test/e2e/lib.sh
. "$(dirname "$0")/lib.sh"
cd "$tmp" || exit

cat >queue.c <<'END_OF_C'
#include <pthread.h>
#include <stdio.h>
#include <sys/prctl.h>
#include <unistd.h>
static int pipes[2];
__attribute__((noinline, noclone)) static void produce(void)
{
	usleep(20000);
	if (write(pipes[1], "x", 1) != 1)
		perror("write");
}
__attribute__((noinline, noclone)) static void consume(void)
{
	char byte;
	if (read(pipes[0], &byte, 1) != 1)
		perror("read");
}
static void *run(void *nothing)
{
	prctl(PR_SET_NAME, "producer");
	for (int i = 0; i < 20; i++)
		produce();
	return nothing;
}
int main(void)
{
	pthread_t thread;
	if (pipe(pipes) != 0 || pthread_create(&thread, NULL, run, NULL) != 0)
		return 1;
	for (int i = 0; i < 20; i++)
		consume();
	return pthread_join(thread, NULL);
}
END_OF_C
gcc -O2 -fno-optimize-sibling-calls -pthread -o queue queue.c || exit

# Without waits the header says how to record them, and a report with a column of them says what is missing.
if "$xprof" record -q -o busy.data -- ./queue 2>busy.err; then
	like "$("$xprof" report -i busy.data 2>/dev/null)" '# waiting: .*record with .--off-cpu -g' "the_header_names_the_option"
	like "$("$xprof" report -i busy.data -s state 2>&1)" 'column state: no sample has it; time off the CPU is recorded with' \
		"and_columns_of_waits_do"
else
	skip "$(head -1 busy.err)" "the_header_names_the_option"
	skip "$(head -1 busy.err)" "and_columns_of_waits_do"
fi

"$xprof" record -q --off-cpu -g -o waits.data -- ./queue 2>probe.err || {
	skip "no waits here: $(head -1 probe.err)" "waits_are_shown"
	done_testing
	exit
}
unlike "$("$xprof" report -i waits.data 2>/dev/null)" '# waiting:' "what_waits_are_recorded_need_not_be_said"
rows() { "$xprof" report -i waits.data --no-children -s "$1" 2>/dev/null; }
like "$(rows comm,state,wait,waker)" '[0-9.]+% +queue +sleeping +pipe +producer' "a_reader_sleeps_for_a_pipe_until_its_writer_wakes_it"
like "$(rows comm,state,wait,waker)" '[0-9.]+% +producer +sleeping +timer +\[timer\]' "a_writer_that_naps_is_woken_by_a_timer"
like "$(rows state)" '100.00% +running' "samples_on_a_CPU_are_of_threads_that_run"
like "$(rows wait,wait_time)" 'pipe +16-32 +ms' "waits_are_in_classes_of_how_long_they_were"
like "$(rows sym,wait)" '\[k\] .*pipe_read.* pipe' "beside_other_columns"

# Text has the wait and its waker's stack in comments, so that readers of perf script's text skip them.
"$xprof" script -i waits.data 2>/dev/null >script.txt
like "$(cat script.txt)" $'\n# \[wait\] sleeping \\(pipe\\) [0-9]+\.[0-9]{3} ms, then .* for a CPU; woken by thread [0-9]+ producer\n' \
	"text_says_how_a_thread_waited"
ok "and_has_the_stack_of_its_waker" grep -qE '^#.* produce ?\+' script.txt
ok "a_timer_has_one_of_the_kernel_alone" awk '/^# \[wait\].*woken by timer$/ { timer = 1; next } /^# \[wait\]/ { timer = 0 }
	/^#\t/ && timer { n++; if ($0 !~ /kernel.kallsyms/) bad = 1 } END { exit bad || !n }' script.txt
like "$("$xprof" script -F comm,event,bpf-output -i waits.data 2>/dev/null)" 'BPF output: 0000: 01 00 44 00' "-F_bpf-output_has_the_bytes_as_perf_has"

# Time on and off the CPU together.
"$xprof" record -q --off-cpu -g -e cpu-clock -o wall.data -- ./queue
"$xprof" report -i wall.data --wall --no-children -s state 2>/dev/null >wall.report
like "$(cat wall.report)" "of event 'wall-clock'" "--wall_has_one_event"
ok "with_threads_that_ran_and_that_slept" sh -c "grep -q '% *running' wall.report && grep -q '% *sleeping' wall.report"
ok "and_so_has_the_flame_graph" "$xprof" flamegraph -i wall.data --wall -o wall.html
like "$("$xprof" report -i busy.data --wall 2>&1)" 'time off the CPU was not recorded' "which_needs_both"

# --wait keeps some kinds of waits.
kept() { "$xprof" report -i "$1" --no-children -q -s state,wait --wait "$2" 2>/dev/null | awk 'NF { $1 = ""; print }' | sort; }
is "$(kept waits.data pipe | awk '{ print $NF }' | sort -u)" pipe "--wait_keeps_what_was_waited_for"
is "$(kept waits.data Run-Queue | awk '{ print $1 }' | grep -v '^runqueue$')" "" "or_a_state_however_it_is_written"
is "$(kept wall.data sleeping | awk '{ print $1 }' | sort -u)" sleeping "without_samples_on_a_CPU"
is "$(kept wall.data running,sleeping | awk '{ print $1 }' | sort -u | tr '\n' ' ')" "running sleeping " "unless_they_are_named"
is "$(kept waits.data pipe,timer | awk "{ print \$NF }" | sort -u | tr "\n" " ")" "pipe timer " "kinds_add_up"
is "$("$xprof" script -i waits.data --wait timer 2>/dev/null | grep '^# \[wait\]' | grep -v ' (timer) ')" "" "--wait_of_script"
total() { awk '{ sum += $NF } END { printf "%.0f\n", sum }' "$1"; }
"$xprof" report -i waits.data --folded --event offcpu-time >all.folded 2>/dev/null
"$xprof" report -i waits.data --folded --wait pipe >pipe.folded 2>/dev/null
"$xprof" export -i waits.data --format collapsed --wait pipe -o pipe.collapsed 2>/dev/null
is "$(total pipe.collapsed)" "$(total pipe.folded)" "--wait_of_export"
ok "which_is_a_part" awk -v part="$(total pipe.folded)" -v all="$(total all.folded)" 'BEGIN { exit !(part > 0 && part < all) }'
"$xprof" flamegraph -i waits.data --wait pipe -o pipe.svg 2>/dev/null
ok "--wait_of_flamegraph" sh -c "grep -q consume pipe.svg && ! grep -q usleep pipe.svg"
"$xprof" diff --all --wait pipe waits.data waits.data >diff.txt 2>/dev/null
ok "--wait_of_diff" sh -c "grep -q pipe_read diff.txt && ! grep -q nanosleep diff.txt"
like "$("$xprof" report -i waits.data --wait futx 2>&1)" "'futx' is not a kind of wait: use one of sleeping,.* page-fault" "an_unknown_name_gives_the_list"
for command in report script; do
	like "$("$xprof" $command -i busy.data --wait futex 2>&1)" 'time off the CPU was not recorded' "$command:_without_waits_there_is_nothing_to_choose"
done
like "$("$xprof" report -i waits.data --wait stopped 2>&1 >/dev/null)" "no sample is such a wait; 'xprof report -s state,wait'" "a_wait_that_there_is_none_of_is_said"

# --wakers puts the stack of the waker on top.
"$xprof" report -i waits.data --folded --wakers >wakers.folded 2>/dev/null
like "$(cat wakers.folded)" $'(^|\n)queue;[^\n]*;consume;[^\n]*pipe_read[^\n]*;--;[^\n]*pipe_write[^\n]*;produce;run;[^\n]*;producer;--;\\[timer\\] [0-9]+' \
	"who_waited_meets_who_woke_it"
like "$(cat wakers.folded)" $'(^|\n)producer;[^\n]*;produce;[^\n]*;--;\\[timer\\] [0-9]+' "a_timer_has_its_name_alone"
is "$(total wakers.folded)" "$(total all.folded)" "the_time_is_the_same"
ok "-g_has_the_frames" sh -c "'$xprof' report -i waits.data --wakers -g --no-children -s comm 2>/dev/null | grep -qE -- '-- *$'"
ok "--wakers_of_flamegraph" sh -c "'$xprof' flamegraph -i waits.data --wakers -o wakers.svg 2>/dev/null && grep -q '>producer<\|producer (' wakers.svg"
unlike "$("$xprof" report -i wall.data --wakers --no-children -s state 2>/dev/null)" '% *running' "samples_on_a_CPU_are_left_out"
like "$("$xprof" report -i wall.data --wakers --wall --no-children -s state 2>/dev/null)" '% *running' "unless_--wall_adds_them"
like "$("$xprof" report -i busy.data --wakers 2>&1)" '--wakers: time off the CPU was not recorded' "--wakers_needs_waits"

# --histogram has the waits in classes: the whole, then rows.
"$xprof" report -i waits.data --histogram >histogram.txt 2>/dev/null
ok "--histogram_has_the_whole_and_up_to_five_rows" awk '/^# *[0-9.]+%.*: +[0-9.]+ +[mu]?s in about / { n++ } END { exit n < 3 || n > 6 }' histogram.txt
ok "its_time_is_that_of_all_stacks" awk -v all="$(total all.folded)" '/%  all: / { sum = $4 * ($5 == "s" ? 1e9 : 1e6) }
	END { exit !(sum > all * 0.999 && sum < all * 1.001) }' histogram.txt
ok "of_long_waits_each_is_a_sample" awk '/  queue  sleeping  pipe: .* in about/ { found = ($10 >= $14 && $14 >= 10 && $14 <= 20) } END { exit !found }' histogram.txt
ok "which_are_as_long_as_the_naps_between" awk '/^#/ { on = /  queue  sleeping  pipe: / } on && /ms/ && $1 ~ /^(16|32)-/ { waits += $3 } END { exit waits < 5 }' histogram.txt
is "$("$xprof" report -i waits.data --histogram --top 1 -s comm 2>/dev/null | grep -c ' in about ')" 2 "rows_as_many_and_of_what_was_asked_for"
like "$("$xprof" report -i waits.data --histogram --folded 2>&1)" 'ask for one at a time' "it_is_a_report_of_its_own"
like "$("$xprof" report -i busy.data --histogram 2>&1)" '--histogram: time off the CPU was not recorded' "--histogram_needs_waits"

# Shares of states are those of the event: they add up.
is "$(rows state | awk '/offcpu-time/ { on = 1 } on && $1 ~ /%$/ { sum += $1 } END { printf "%d\n", sum + 0.5 }')" 100 "shares_add_up"
ok "the_flame_graph_has_the_event" sh -c "'$xprof' flamegraph -i waits.data -o page.html >/dev/null 2>&1 && grep -q offcpu-time page.html"
done_testing
