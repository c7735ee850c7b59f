#!/usr/bin/env bash
# Stacks through code that was made at run time and that nothing describes: the recorder reads it while it exists.
set -u
# shellcheck source=test/e2e/lib.sh
. "$(dirname "$0")/lib.sh"
need_recording -e cpu-clock:u -g
[ "$(uname -m)" = x86_64 ] || skip_all "the code of the workload is for x86-64"
"$xprof" version --build-options | grep -qE 'libzydis +on' || skip_all "xprof was built without libzydis"
gcc -O2 -fomit-frame-pointer -o "$tmp/work" "$(dirname "$0")/programs/trampoline_workload.c" ||
	skip_all "there is no compiler"

"$xprof" record -q -e cpu-clock:u -F 997 -g -o "$tmp/work.data" -- "$tmp/work" 2>"$tmp/err"
"$xprof" report -i "$tmp/work.data" --folded >"$tmp/folded" 2>>"$tmp/err"

# Stacks of samples in spin(): "ALL WHOLE WRONG". Whole: through main(), all levels and all copies of the template. Wrong: from
# main() on, but through fewer.
stacks=$(awk '/;spin(_\[.*\])? [0-9]+$/ {
	all += $NF
	if (!/;main;/) next
	if (gsub(/;level/, "") == 7) whole += $NF; else wrong += $NF
} END { print all + 0, whole + 0, wrong + 0 }' "$tmp/folded")
read -r all whole wrong <<<"$stacks"
ok "the workload was sampled" [ "$all" -gt 300 ]
ok "nearly all of its stacks are whole" [ "$whole" -gt $((all * 85 / 100)) ]
is "$wrong" 0 "code that was written over is not followed as it was before"
if command -v perf >/dev/null; then
	count=$(perf_quietly script -i "$tmp/work.data" -F ip,sym | grep -c ' main$')
	ok "perf sees them, too" [ "$count" -gt $(($(perf_samples "$tmp/work.data") * 80 / 100)) ]
else
	skip "perf is not installed" "perf sees them, too"
fi

# A call on the path to the return, of a function that only the program knows: xprof assumes that it leaves the stack pointer
# where it was.
"$xprof" record -q -e cpu-clock:u -F 997 -g -o "$tmp/assumed.data" -- "$tmp/work" twice 2>"$tmp/err"
"$xprof" report -i "$tmp/assumed.data" --stacks --no-pager >"$tmp/stacks" 2>>"$tmp/err"
read -r all whole assumed < <(sed -n 's/^# Stacks: \([0-9]*\), \([0-9]*\) .*/\1 \2/p; s/^# \([0-9]*\) ([0-9.]*%) more do so .*/\1/p' "$tmp/stacks" | xargs)
ok "stacks_with_callers_that_are_assumed_are_counted_apart" [ "${assumed:-0}" -gt $((all * 80 / 100)) ]
ok "and_not_among_those_that_are_known_to_reach_the_start" [ "$whole" -lt $((all * 20 / 100)) ]
"$xprof" script -i "$tmp/assumed.data" -F ip,sym >"$tmp/script" 2>>"$tmp/err"
# A caller of a copy is assumed, the others are not: the names of the assumed callers for each sample in spin().
marked=$(awk '
	/^$/ { if (leaf == "spin" && whole) print names; leaf = names = whole = assumed = ""; next }
	/^#/ { assumed = /assumed/; next }
	{ if (leaf == "") leaf = $2; if ($2 == "main") whole = 1; if (assumed) names = names " " $2 }' "$tmp/script" | sort -u)
is "$marked" " level level level level level level" "each_caller_that_is_assumed_is_marked_and_no_other"
if command -v perf >/dev/null; then
	# Except for a stack or two that could not be followed while recording: there perf unwinds a dump, and knows less.
	theirs=$(perf_quietly script -i "$tmp/assumed.data" -F ip,sym | sed 's/^[\t ]*//' | grep -c .)
	ours=$(sed 's/^[\t ]*//' "$tmp/script" | grep -c '^[^#]')
	diag "perf reads $theirs frames, xprof $ours"
	ok "perf_reads_as_many_frames" [ $((theirs * 100)) -ge $((ours * 99)) ]
else
	skip "perf is not installed" "perf_reads_as_many_frames"
fi
done_testing
