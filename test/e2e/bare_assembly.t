#!/usr/bin/env bash
# Stacks from assembly that nothing describes, where even the beginnings of functions are unknown: the instructions up to the
# return lead to the caller, also if the old stack pointer is saved while the frame is aligned.
set -u
# shellcheck source=test/e2e/lib.sh
. "$(dirname "$0")/lib.sh"
need_recording -e cpu-clock:u -g
[ "$(uname -m)" = x86_64 ] || skip_all "the assembly is for x86-64"
"$xprof" version --build-options | grep -qE 'libzydis +on' || skip_all "xprof was built without libzydis"
gcc -O2 -fomit-frame-pointer -o "$tmp/work" "$(dirname "$0")/programs/bare_assembly.c" || skip_all "there is no compiler"

"$xprof" record -q -e cpu-clock:u -F 997 -g -o "$tmp/work.data" -- "$tmp/work" 2>"$tmp/err"
# The names of the stacks' functions from call() on, innermost first; an address in the assembly has the name of any function in
# front of it.
"$xprof" script -i "$tmp/work.data" -F ip,sym 2>>"$tmp/err" | awk '
	/^$/ { if (depth || called) print depth, names; depth = 0; names = called = ""; next }
	$2 == "call" { called = 1 }
	called { names = names $2 " "; next }
	{ depth++ }' | sort | uniq -c >"$tmp/stacks"
all=$(awk '{ all += $1 } END { print all + 0 }' "$tmp/stacks")
kept_in_memory=$(awk '$2 == 1 && $3 == "call" && $4 == "main" { n += $1 } END { print n + 0 }' "$tmp/stacks")
kept_in_register=$(awk '$2 == 2 && $3 == "call" && $4 == "main" { n += $1 } END { print n + 0 }' "$tmp/stacks")
diag "$(cat "$tmp/stacks")"
ok "the_assembly_was_sampled" [ "$all" -gt 100 ]
ok "a_function_that_keeps_the_stack_pointer_in_memory_is_left" [ "$kept_in_memory" -gt $((all * 40 / 100)) ]
ok "one_that_keeps_it_in_a_register_over_a_call_is_left" [ "$kept_in_register" -gt $((all * 40 / 100)) ]
ok "nearly_all_stacks_are_one_or_the_other" [ $((kept_in_memory + kept_in_register)) -gt $((all * 98 / 100)) ]
done_testing
