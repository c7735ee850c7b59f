#!/usr/bin/env bash
# Names come from recorded programs. Whatever they contain, no output controls a terminal, reorders its text or has a line that
# a name forged.
set -u
# shellcheck source=test/e2e/lib.sh
. "$(dirname "$0")/lib.sh"
recording_of=$build/test/tools/recording_of
[ -x "$recording_of" ] || skip_all "test/tools/recording_of was not built"

data=$tmp/hostile.data
"$recording_of" hostile "$data"

# Standard input's lines with a control character (C0, DEL, C1), a bidirectional one, a byte that is not UTF-8, or that the
# newline in the names began.
harmful_lines() {
	LC_ALL=C grep -anP '[\x00-\x08\x0b-\x1f\x7f]|\xc2[\x80-\x9f]|\xd8\x9c|\xe2\x80[\x8e\x8f\xa8-\xae]|\xe2\x81[\xa6-\xa9]|(?<![\x80-\xff])[\x80-\xbf]|^1 \[000\]' |
		cat -v | head -3
}

# NAME, what the output must have, command...: both of its outputs.
harmless() {
	local name=$1 expected=$2
	shift 2
	"$xprof" "$@" >"$tmp/out" 2>&1
	like "$(cat "$tmp/out")" "$expected" "${name}_has_the_names"
	is "$(harmful_lines <"$tmp/out")" "" "${name}_is_harmless"
}

# The recording names another machine, so --symfs has to say that its files are on this one.
harmless a_table 'evil.*_leaf' report --no-pager --symfs / -i "$data"
harmless a_call_graph 'evil.*_caller' report --no-pager -g --symfs / -i "$data"
harmless folded_text 'evil.*_caller;evil.*_leaf' report --folded --symfs / -i "$data"
harmless json 'evil.u000a1 .000. forged.u000d.u001b.31m.u009b.ufffd.u202e.u2066.u061c_leaf' report --json --symfs / -i "$data"
harmless stacks 'evil' report --stacks --no-pager -i "$data"
harmless script 'evil.*_leaf' script --symfs / -i "$data"
harmless records_of_a_script 'PERF_RECORD_MMAP2.*evil' script --show-mmap-events --show-task-events -i "$data"
harmless a_dump 'evil.u000a1 .000. forged.u000d.u001b.31m.u009b.u009b.u202e.u2066.u061c' dump "$data"
harmless a_dump_as_json 'evil.u000a' dump --json "$data"
harmless a_difference 'evil' diff --no-pager "$data" "$data"
harmless a_page 'evil' flamegraph -q -i "$data" -o -
harmless a_picture 'evil' flamegraph -q --format svg -i "$data" -o -
harmless what_an_archive_says 'xprof:' archive -f -i "$data" -o "$tmp/archive.tar"
cp "$data" "$tmp/"$'\302\233\342\200\256.data'
printf 'no recording' >"$tmp/"$'\302\233\342\200\256.cut'
harmless a_message 'xprof:' report -i "$tmp/"$'\302\233\342\200\256.cut'

# A process sets such a name itself.
if cc -O1 -x c -o "$tmp/liar" - 2>/dev/null <<'END' && "$xprof" record -q -o "$tmp/live.data" -- "$tmp/liar" 2>/dev/null; then
#include <sys/prctl.h>
int main(void)
{
	prctl(PR_SET_NAME, "x\n1 [000] \302\233\233m");
	for (volatile long i = 0; i < 200000000; i++)
		;
}
END
	"$xprof" script -F comm,tid,time,event -i "$tmp/live.data" >"$tmp/script" 2>/dev/null
	like "$(cat "$tmp/script")" 'x.1 .000.' "a_process_is_shown_that_calls_itself_a_line"
	is "$(harmful_lines <"$tmp/script")" "" "a_process_cannot_forge_a_line_of_a_script"
	is "$("$xprof" report --no-pager -i "$tmp/live.data" 2>&1 | harmful_lines)" "" "a_process_cannot_drive_a_terminal"
else
	skip "cannot record here" a_process_is_shown_that_calls_itself_a_line
	skip "cannot record here" a_process_cannot_forge_a_line_of_a_script
	skip "cannot record here" a_process_cannot_drive_a_terminal
fi

done_testing
