#!/usr/bin/env bash
# Stacks whose dumps are cut, 256 bytes to 64 KiB: the result is the beginning of the whole stack, or marked. Stacks deeper than
# their dump are joined to other stacks of the thread, and marked as joined.
set -u
# shellcheck source=test/e2e/lib.sh
. "$(dirname "$0")/lib.sh"
need_recording -e cpu-clock --call-graph dwarf

# Calls below four() fit into 2 KiB, except deep().
cat >"$tmp/steps.c" <<'EOC'
#include <string.h>

static volatile unsigned long sum;

__attribute__((noinline)) static void spin(void)
{
	for (int i = 0; i < 400000; i++)
		sum += (unsigned long)i;
}

__attribute__((noinline)) static void deep(void)
{
	volatile char room[1500];

	memset((void *)room, 1, sizeof(room));
	spin();
	sum += (unsigned long)room[7];
}

__attribute__((noinline)) static void one(void) { spin(); sum++; deep(); sum++; }
__attribute__((noinline)) static void two(void) { one(); sum++; }
__attribute__((noinline)) static void three(void) { two(); sum++; }

__attribute__((noinline)) static void four(void)
{
	volatile char room[1000];

	memset((void *)room, 1, sizeof(room));
	for (int i = 0; i < 1000; i++)
		three();
	sum += (unsigned long)room[7];
}

int main(void)
{
	four();
	return 0;
}
EOC
checks=("a stack that is joined is whole" "without joining it ends where its dump does"
	"the header says how many were joined" "the table of stacks says so, too"
	"the script marks what was joined" "and does not join unless it is asked to")
if "${CC:-cc}" -O1 -fno-optimize-sibling-calls -o "$tmp/steps" "$tmp/steps.c" 2>/dev/null; then
	"$xprof" record -q -e cpu-clock:u -F 999 --call-graph dwarf,2048 -o "$tmp/steps.data" -- "$tmp/steps" >/dev/null
	like "$("$xprof" report -i "$tmp/steps.data" --folded)" ';main;four;three;two;one;deep;spin ' "${checks[0]}"
	unlike "$("$xprof" report -i "$tmp/steps.data" --folded --no-join-stacks)" ';main;four;three;two;one;deep;spin ' "${checks[1]}"
	like "$("$xprof" report --header -i "$tmp/steps.data" --top 1)" 'joined to another stack of their thread' "${checks[2]}"
	like "$("$xprof" report -i "$tmp/steps.data" --stacks)" 'were joined' "${checks[3]}"
	like "$("$xprof" script -i "$tmp/steps.data" --join-stacks -F ip,sym)" $'\n''# \[joined\]'$'(\n\t[^\n]*)* main\n' "${checks[4]}"
	unlike "$("$xprof" script -i "$tmp/steps.data")" '\[joined\]' "${checks[5]}"
else
	for check in "${checks[@]}"; do
		skip "no C compiler" "$check"
	done
fi

# The same stacks with less and less of their dumps.
sweep=$build/test/sweep/sweep
if [ -x "$sweep" ] && [ -x "$tmp/steps" ]; then
	for program in "$demo 1" "$tmp/steps"; do
		# shellcheck disable=SC2086 # the program and its argument
		"$xprof" record -q -e cpu-clock:u -F 499 --call-graph dwarf,65528 -o "$tmp/whole-${program##*/}.data" -- $program >/dev/null
	done
	status=0
	table=$("$sweep" --most-wrong-joins=100 "$tmp"/whole-*.data) || status=$?
	[ "$status" -eq 0 ] || diag "$table"
	is "$status" 0 "no frame is wrong and not marked, and hardly a join"
	like "$table" "[1-9][0-9]* joined, " "stacks are joined"
else
	skip "$sweep is not built" "no frame is wrong and not marked, and hardly a join"
	skip "$sweep is not built" "stacks are joined"
fi
done_testing
