#!/usr/bin/env bash
# Branch counters (-j counter) on a played CPU that has them: the counts of a group's events between branches are printed as
# perf prints them since Linux 6.13, and read even if only another event of the group asked for them.
set -u
# shellcheck source=test/e2e/lib.sh
. "$(dirname "$0")/lib.sh"
# shellcheck source=test/lib/played.sh
. "$(dirname "$0")/../lib/played.sh"
need_player
[ "$(uname -m)" = x86_64 ] || skip_all "the program's instructions are those of x86-64"
command -v gcc >/dev/null || skip_all "gcc is not installed"
"$xprof" version --build-options | grep -qE 'libzydis +on' || skip_all "xprof was built without libzydis"
cd "$tmp" || exit 1
make_walk

# Two bits for each event of the group, the first the lowest: 0x21 is 1, 0, 2; 0xff is three times 3 or more.
ret=0x401029/0x40100d call=0x401008/0x401020 again=0x401016/0x401006
{
	echo "machine intel-lbr32-counters"
	walk_records
	echo "sample pid=4242 tid=4242 time=1000 ip=0x401008 period=100 weight=77 counters=0x21,0x0,0x30,0xff,0x1" \
		"branches=$again/P/-/-/3,$ret/P/-/-/5,$call/M/-/-/2,$again/P/-/-/0,$ret/P/X/A/9"
	echo "sample event=1 pid=4242 tid=4242 time=1500 ip=0x401008 period=100 counters=0x1,0x4 branches=$again/P/-/-/3,$ret/P/-/-/5"
} >counters.play
status_is 0 "counters_of_a_group_are_recorded" play counters.play "$xprof" record -o counters.data \
	-e '{cycles,instructions,branch-misses}' -j any,counter true
like "$(cat opened)" 'config=0x5 .* branch=0x80008 ' "each_event_of_it_asks_for_them"

# FILE: the counts before each branch, oldest first.
counts() {
	"$xprof" script --no-inline -i "$1" -F brstackinsn,brcntr | sed -nE 's/.*# br_cntr: ([^ ]*)  .*/\1/p' | tr '\n' ' '
}
is "$(counts counters.data)" "A AAA+BBB+CCC+ CCC+ - ACC B A " "script_has_a_letter_for_each_occurrence"
is "$("$xprof" script -i counters.data -F ip,brcntr | head -7)" "# Branch counter abbr list:
# cycles = A
# instructions = B
# branch-misses = C
# '-' No event occurs
# '+' Event occurrences may be lost due to branch counter saturated
           401008" "and_says_which_letter_is_which_event"
counted() {
	"$xprof" script -v --no-inline -i "$1" -F brstackinsn,brcntr | grep -oE 'br_cntr: .*  ( PRED|MISPRED)'
}
is "$(counted counters.data | head -3)" "br_cntr: cycles 1 instructions 0 branch-misses 0   PRED
br_cntr: cycles 3+ instructions 3+ branch-misses 3+   PRED
br_cntr: cycles 0 instructions 0 branch-misses 3+   MISPRED" "with_v_it_has_names_and_numbers"
unlike "$("$xprof" script -v --no-inline -i counters.data -F brstackinsn,brcntr)" "abbr list" "and_no_list_of_letters"
is "$("$xprof" report -q --total-cycles -i counters.data | awk '{ print $2, $4, substr($0, index($0, "|"), 16) }')" \
	"19 6 |A   |B   |-   |
6 3 |A   |-   |C   |
2 2 |-   |-   |CCC+|" "total-cycles_has_the_means"
like "$("$xprof" report --total-cycles -i counters.data | sed -n 2p)" "^# cycles = A$" "with_the_same_letters"
if command -v perf >/dev/null && perf script -F help 2>&1 | grep -q brcntr; then
	for options in "-F +brstackinsn,+brcntr" "-F brstackinsnlen,brcntr" "-v -F brstackinsn,brcntr"; do
		# shellcheck disable=SC2086 # words
		ok "as_perf_does_with_$options" diff -b <(perf_quietly script --no-inline -i counters.data $options) \
			<("$xprof" script --no-inline -i counters.data $options)
	done
else
	skip "this perf does not know branch counters" "as_perf_does"
fi

# The leader's samples have counters, though the leader did not ask; the fields after them are still found.
status_is 0 "one_event_of_a_group_may_ask_alone" play counters.play "$xprof" record -o one.data -W \
	-e '{cycles/branch_type=any/,instructions/branch_type=any|counter/}' true
like "$(cat opened)" 'config=0x0 .* branch=0x8 .*config=0x1 .* branch=0x80008 ' "and_does"
is "$(counts one.data)" "A AAA+ - - A - A " "all_samples_of_the_group_have_its_counts"
is "$("$xprof" script -i one.data -F weight,ip | awk '{ print $1 }' | tr '\n' ' ')" "77 0 " "what_lies_behind_the_counts_is_found"
"$xprof" convert --decompress one.data - 2>err >one.pipe
is "$(counts one.pipe)" "A AAA+ - - A - A " "in_a_pipe_too"

# A kernel on AMD takes the bit, and its samples have no counters: the file must not promise them.
sed 's/^machine .*/machine amd-lbrv2/' counters.play >amd.play
status_is 0 "counters_that_a_cpu_does_not_have_are_left_out" play amd.play "$xprof" record -o amd.data -W -e cycles -j any,counter true
like "$output" "left out, .*: counter" "which_is_said"
is "$("$xprof" script -i amd.data -F weight,ip | awk '{ print $1 }')" 77 "and_samples_are_read"

play counters.play "$xprof" record -q -o plain.data -e cycles -b true
status_is 1 "counts_that_were_not_recorded_are_refused" "$xprof" script -i plain.data -F +brcntr
like "$output" "'brcntr' needs branch counters: record a group of events with -j any,counter" "with_the_option_that_records_them"
unlike "$("$xprof" report --total-cycles -i plain.data)" "Branch Counter" "without_counters_there_is_no_column"
done_testing
