#!/usr/bin/env bash
# The lines above a report: at most five, and what --header adds; that a command waited.
set -u
# shellcheck source=test/e2e/lib.sh
. "$(dirname "$0")/lib.sh"
need_recording
command -v gcc >/dev/null || skip_all "there is no gcc"

cat >"$tmp/wait.c" <<'C'
#include <time.h>
#include <unistd.h>

static volatile unsigned long sink;

__attribute__((noinline)) static void work(void)
{
	struct timespec now;

	do {
		for (int i = 0; i < 10000; i++)
			sink += i;
		clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
	} while (now.tv_sec * 1000000000L + now.tv_nsec < 100000000L);
}

__attribute__((noinline)) static void wait_for_answer(void)
{
	usleep(700000);
}

int main(int argc, char **argv)
{
	work();
	if (argc > 1)
		wait_for_answer();
	return argv == 0;
}
C
gcc -O1 -fno-omit-frame-pointer -o "$tmp/wait" "$tmp/wait.c" || skip_all "gcc does not work"

# OPTION...: the trust header of the report, without the empty line after it
header() {
	"$xprof" report --no-pager "$@" 2>"$tmp/err" | sed '/^#$/,$d'
}
record() {
	"$xprof" record -q -e cpu-clock "$@" 2>"$tmp/err"
}

record -g -o "$tmp/wait.data" -- "$tmp/wait" wait || skip_all "cannot record: $(cat "$tmp/err")"
like "$(header -i "$tmp/wait.data")" '# waiting: of its [0-9.]+ s the command ran for ([0-9]{2} ms|0\.[1-3] s) and waited otherwise' \
	"a_command_that_waited_is_told_so"
unlike "$(header -i "$tmp/wait.data" --time 0%-50%)" 'waiting' "of_a_part_of_the_samples_nothing_is_said"
like "$(header -i "$tmp/wait.data" | tail -1)" "^# recorded [0-9.]+ s on .*, Linux .*: xprof record .*$tmp/wait wait\$" \
	"the_last_line_says_what_was_recorded"
unlike "$(header -i "$tmp/wait.data")" '^# (command|rate):' "what_is_only_good_to_know_is_left_out"
like "$(header -i "$tmp/wait.data" --header)" $'# command: .*\n# rate: cpu-clock at [0-9]+ Hz' "and_shown_by_--header"
unlike "$(header -i "$tmp/wait.data" --no-header)" 'recorded' "--no-header_leaves_the_table"
record -o "$tmp/work.data" -- "$tmp/wait"
record -a -o "$tmp/all.data" -- "$tmp/wait" wait
unlike "$(header -i "$tmp/all.data")" 'waiting' "nor_is_it_said_of_whole_CPUs"
unlike "$(header -i "$tmp/all.data" --header)" 'waiting' "in_full_either"

# Following its advice shows the function that waited.
if "$xprof" record -q -e context-switches -c 1 -g -o "$tmp/switches.data" -- "$tmp/wait" wait 2>"$tmp/err"; then
	like "$("$xprof" report --no-pager -i "$tmp/switches.data" --children 2>"$tmp/err")" \
		'[0-9.]+% +0\.00% .*wait_for_answer' "context_switches_show_where"
else
	skip "$(cat "$tmp/err")" "context_switches_show_where"
fi

# Every recording has at most five lines.
for data in "$tmp"/*.data $(find "${CORPUS:-$source_root/../shared/corpus}"/{quipper,simpleperf,hotspot,pprofconv} -type f 2>/dev/null |
	sort | awk 'NR % 5 == 1'); do
	[ "$(timeout 60 "$xprof" report --no-pager --top 1 -i "$data" 2>/dev/null | sed '/^#$/,$d' | grep -c '')" -le 5 ] ||
		too_long="${too_long:-} $data"
done
is "${too_long:-}" "" "no_header_is_longer_than_five_lines"
done_testing
