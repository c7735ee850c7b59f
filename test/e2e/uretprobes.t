#!/usr/bin/env bash
# Functions whose returns are probed: while they run, a trampoline of the kernel stands in place of their callers on the stack.
# The recorder's BPF program puts the callers back into its copy.
set -u
# shellcheck source=test/e2e/lib.sh
. "$(dirname "$0")/lib.sh"
cd "$tmp" || exit

tracing=/sys/kernel/tracing
[ -w "$tracing/uprobe_events" ] || skip_all "uprobes may not be set here"
group=xprof_test_$$
remove_probes() {
	[ ! -w "$tracing/events/$group/enable" ] || echo 0 >"$tracing/events/$group/enable"
	grep -o "^r:$group/[^ ]*" "$tracing/uprobe_events" | sed 's/^r/-/' >>"$tracing/uprobe_events"
}
trap 'remove_probes 2>/dev/null; clean_up' EXIT

cat >probed.c <<'END_OF_C'
#include <setjmp.h>
#include <stdlib.h>
static volatile unsigned long sum;
static jmp_buf back;
__attribute__((noinline, noclone)) static void leaf(void)
{
	for (unsigned long i = 0; i < 1000000; i++)
		sum += i;
}
/* Also calls itself: several trampolines on one stack. */
__attribute__((noinline, noclone)) static unsigned long probed(int depth)
{
	volatile char room[40];
	room[depth % 40] = 1;
	if (depth == 0)
		leaf();
	return depth ? probed(depth - 1) + (unsigned long)room[depth % 40] : 0;
}
__attribute__((noinline, noclone)) static void left_by_jump(void)
{
	longjmp(back, 1);
}
/* What it leaves on the stack lies where the probed function's return address was. */
__attribute__((noinline, noclone)) static unsigned long reuse(int depth)
{
	volatile unsigned long room[3] = { 1, 2, 3 };
	if (depth == 0)
		leaf();
	return depth ? reuse(depth - 1) + room[depth % 3] : 0;
}
int main(int count, char **arguments)
{
	for (int i = atoi(arguments[count - 1]); i > 0; i--) {
		sum += probed(3);
		if (setjmp(back) == 0)
			left_by_jump();
		sum += reuse(5);
	}
	return 0;
}
END_OF_C
offset_of() { # FUNCTION: in the file
	printf '0x%x' "0x$(nm "$1" | awk -v name="$2" '$3 == name { print $1 }')"
}
samples_of() { # NAME PATTERN: how many of the samples in leaf() are whole: have callers that match
	"$xprof" report -i "$1.data" --no-inline --folded --weight samples 2>/dev/null | awk -v pattern="$2" '
		{ n = $NF; sub(/ [0-9]+$/, "") } $0 ~ ";leaf$" { all += n; if ($0 ~ pattern) whole += n }
		END { printf "%d of %d\n", whole, all }'
}

probe_and_record() { # NAME FLAGS...: builds ./NAME with these flags, probes and records it
	local name=$1
	shift
	gcc -O2 -fomit-frame-pointer -fno-optimize-sibling-calls "$@" -o "$name" probed.c 2>gcc.said || return 1
	for function in probed left_by_jump; do
		echo "r:$group/${name}_$function $tmp/$name:$(offset_of "$name" $function)" >>"$tracing/uprobe_events" || return 1
	done
	echo 1 >"$tracing/events/$group/enable"
	"$xprof" record -v -g -e cpu-clock -F 997 -o "$name.data" -- "./$name" 250 >/dev/null 2>"$name.said"
	echo 0 >"$tracing/events/$group/enable"
}
whole='[;]main;(probed;probed;probed;probed|reuse;reuse;reuse;reuse;reuse;reuse);leaf$'

probe_and_record wide || skip_all "no probe can be set"
grep -q "copied by BPF" wide.said || skip_all "stacks are not copied by BPF here"
like "$(samples_of wide "$whole")" '^([1-9][0-9]+) of \1$' "callers of probed functions are in the stacks"
# A sample may come between the kernel's change of the stack and its note of it.
unknown=$("$xprof" script -i wide.data -F ip,sym,dso 2>/dev/null | grep -A1 ' probed ' | grep -c unknown)
ok "and no trampoline is" test "$unknown" -le 2
like "$("$xprof" report -i wide.data --no-inline --folded 2>/dev/null)" 'main;reuse;reuse' \
	"what was left by longjmp() disturbs nothing"
if probe_and_record narrow -m32; then
	like "$(samples_of narrow "$whole")" '^([1-9][0-9]+) of \1$' "in programs of 32 bits, too"
else
	skip "gcc makes no 32-bit programs here" "in programs of 32 bits, too"
fi
echo 1 >"$tracing/events/$group/enable"
"$xprof" record --no-bpf -g -e cpu-clock -F 997 -o dumps.data -- ./wide 50 >/dev/null 2>&1
echo 0 >"$tracing/events/$group/enable"
like "$("$xprof" report -i dumps.data --stacks 2>/dev/null)" '[[]uprobes]'[^$]*'a return probe has replaced the return address' \
	"where the kernel dumps stacks the probe is named"
done_testing
