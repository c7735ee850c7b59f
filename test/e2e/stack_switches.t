#!/usr/bin/env bash
# Stacks of programs that leave them for others: by longjmp, by switching from fiber to fiber, and in signal handlers with a stack
# of their own. All reach the start of their thread, or of their fiber.
set -u
# shellcheck source=test/e2e/lib.sh
. "$(dirname "$0")/lib.sh"
need_recording -e cpu-clock:u -g
[ "$(uname -m)" = x86_64 ] || skip_all "the fibers are for x86-64"
"$xprof" version --build-options | grep -qE 'libzydis +on' || skip_all "xprof was built without libzydis"
gcc -O2 -o "$tmp/switches" "$(dirname "$0")/programs/stack_switches.c" || skip_all "there is no compiler"

# WAY: counts the stacks of the program that leaves its stack in that way, and the whole ones.
count() {
	"$xprof" record -q -e cpu-clock:u -F 1999 -g -o "$tmp/$1.data" -- "$tmp/switches" "$1" 0.7 2>"$tmp/$1.err"
	"$xprof" report -i "$tmp/$1.data" --stacks 2>>"$tmp/$1.err" |
		sed -nE 's/^# Stacks: ([0-9]+), ([0-9]+) .*/\1 \2/p'
}

# glibc's swapcontext has one instruction between two stacks for which its own CFI names a wrong word.
declare -A least=([longjmp]=995 [fibers]=995 [contexts]=980)
for way in longjmp fibers contexts; do
	read -r all whole < <(count $way)
	ok "$way: the program was sampled" [ "${all:-0}" -gt 50 ]
	ok "$way: nearly all stacks are whole" [ "${whole:-0}" -ge $((${all:-1} * least[$way] / 1000)) ]
done
like "$("$xprof" report -i "$tmp/longjmp.data" --folded)" ';try_once;__longjmp ' "in the end of longjmp its caller is that of setjmp"
like "$("$xprof" report -i "$tmp/fibers.data" --folded)" 'run_fiber;switch_fiber' "a switch is called by the fiber that goes on"

if "$xprof" record -v -e cpu-clock:u -g -o "$tmp/probe.data" -- true 2>&1 | grep -q 'copied by BPF'; then
	read -r all whole < <(count handler)
	ok "handlers with a stack of their own stand above what they interrupted" [ "${whole:-0}" -ge $((${all:-1} * 995 / 1000)) ]
	like "$("$xprof" report -i "$tmp/handler.data" --folded)" 'main;interrupted;.*handle;spin ' "which is their caller"
else
	skip "no BPF program copies stacks here" "handlers with a stack of their own stand above what they interrupted"
	skip "no BPF program copies stacks here" "which is their caller"
fi
done_testing
