#!/usr/bin/env bash
# Stacks that no dump of the kernel holds: deeper than 64 KiB, with pages that were never touched, below a signal handler with a
# stack of its own. The recorder's BPF program copies them whole.
set -u
# shellcheck source=test/e2e/lib.sh
. "$(dirname "$0")/lib.sh"
cd "$tmp" || exit

record() { # NAME COMMAND...: into NAME.data; the output of -v is in NAME.said
	local name=$1
	shift
	"$xprof" record -v -g -e cpu-clock -F 997 -o "$name.data" -- "$@" >/dev/null 2>"$name.said"
}
# NAME SYMBOL: counts the samples in that function, and those whose stack reaches main.
samples_in() {
	"$xprof" report -i "$1.data" --no-inline --folded --weight samples 2>/dev/null |
		awk -v symbol="$2" '{ n = $NF; sub(/ [0-9]+$/, ""); if ($0 ~ ";" symbol "$") { all += n; if ($0 ~ /;main;/) whole += n } }
			END { printf "%d of %d\n", whole, all }'
}
# NAME SYMBOL TEST: there are samples, and their stacks are whole; one in twenty may not be, because on a busy machine the ring
# of copies is half full at times, and less of each is copied.
are_whole() {
	local found
	found=$(samples_in "$1" "$2")
	is "$(awk '{ print ($1 >= 10 && $1 * 20 >= $3 * 19 ? "whole" : $0) }' <<<"$found")" whole "$3"
}

record probe true || skip_all "$(head -1 probe.said)"
grep -q "copied by BPF" probe.said || skip_all "$(grep -o 'dumped by the kernel: .*' probe.said)"

# The command's parent is the recorder while it runs.
"$xprof" record -q -g -o loaded.data -- sh -c 'cat /proc/$PPID/fdinfo/* >fdinfo; cat /proc/$PPID/maps >maps' 2>/dev/null
is "$(grep -c libbpf maps)" 0 "no_library_is_needed_to_load_the_program"
like "$(awk '/^verified_insns:/ { print ($2 > 0 && $2 < 1800 ? "few" : "many: " $2) }' fdinfo)" '^few$' \
	"which_the_kernel_need_not_verify_many_times_over"
"$xprof" record -q -a -F 49 -o loading.data -- "$xprof" record -q -g -o loaded.data true
like "$("$xprof" dump -i loading.data | grep -c '_copy_whole')/$("$xprof" dump -i loading.data | grep -c '__loader')" '^[1-9][0-9]*/0$' \
	"and_nothing_else_is_loaded"

cat >deep.c <<'END_OF_C'
#include <stdlib.h>
__attribute__((noinline, noclone)) static unsigned long leaf(unsigned long n)
{
	volatile unsigned long sum = 0;
	for (unsigned long i = 0; i < n; i++)
		sum += i;
	return sum;
}
__attribute__((noinline, noclone)) static unsigned long recurse(int depth, unsigned long n)
{
	volatile char room[112];
	room[depth % 112] = 1;
	return depth ? recurse(depth - 1, n) + room[depth % 112] : leaf(n);
}
int main(int count, char **arguments)
{
	return recurse(atoi(arguments[count - 1]), 200000000) == 1;
}
END_OF_C
gcc -O2 -fomit-frame-pointer -fno-optimize-sibling-calls -o deep deep.c
record deep ./deep 900 # some 150 KiB
are_whole deep leaf "a_stack_of_150_kib_is_whole"
frames=$("$xprof" script -i deep.data -F ip,sym 2>/dev/null | awk '/recurse/ { n++ } /^$/ { if (n > most) most = n; n = 0 } END { print most }')
is "$frames" 901 "every_call_of_a_recursion_is_there"
# On another machine the files are missing: it says whose names are, but not that stacks are cut.
mkdir -p nothing
like "$("$xprof" report --stacks --symfs nothing -i deep.data --no-pager 2>/dev/null | head -1)" "\(100\.00%\) reach the start" \
	"stacks_are_known_to_be_whole_without_the_files"
if command -v perf >/dev/null; then
	perf_frames=$(perf_quietly script --max-stack 2000 -i deep.data -F ip,sym | awk '/recurse/ { n++ } /^$/ { if (n > most) most = n; n = 0 } END { print most }')
	is "$perf_frames" 901 "perf_reads_them_too"
else
	skip "perf is not installed" "perf_reads_them_too"
fi

# The ring of copies begins small. Once the recorder has seen how large copies are, the ring has room for all copies of a second
# in which the recorder does nothing.
sed 's/200000000/900000000/' deep.c >long.c
gcc -O2 -fomit-frame-pointer -fno-optimize-sibling-calls -o long long.c
"$xprof" record -v -g -e cpu-clock -F 997 -o stopped.data -- ./long 220 >/dev/null 2>stopped.said & # some 30 KiB
recorder=$!
sleep 0.4
kill -STOP $recorder
sleep 0.7
kill -CONT $recorder
wait $recorder
like "$(cat stopped.said)" 'copied by BPF .*: [1-9][0-9]* copies, 0 lost because the ring was full' "a_recorder_that_is_stopped_for_a_while_loses_no_copy"

# A record has room for some 8,000 frames.
sed -e 's/112/24/g' deep.c >deeper.c
sed -i 's/200000000/400000000/' deeper.c
gcc -O2 -fomit-frame-pointer -fno-optimize-sibling-calls -o deeper deeper.c
"$xprof" record -v -g -e cpu-clock -F 99 -o deeper.data -- ./deeper 20000 >/dev/null 2>deeper.said # some 950 KiB each
# While the ring of copies is half full, less of each is copied: on a busy machine not all are whole.
like "$(samples_in deeper leaf)" '^[1-9][0-9]* of [1-9]' "a_stack_of_20000_frames_is_whole_but_for_its_middle"
like "$("$xprof" report -i deeper.data --no-inline --folded 2>/dev/null)" \
	';_start;.*;main;recurse;(recurse;)*\[\.\.\. 1[0-9]{4} frames\];(recurse;)*leaf ' "whose_place_a_frame_takes_that_says_how_many_are_missing"
all=$("$xprof" script -i deeper.data -F ip,sym 2>/dev/null | awk '/recurse/ { n++ } / frames\]/ { n += $3; marks++ } /^$/ { if (marks == 1 && n > most) most = n; n = marks = 0 } END { print most }')
is "$all" 20001 "with_them_there_are_as_many_as_there_were_calls"
like "$("$xprof" report -i deeper.data --stacks 2>/dev/null)" 'are deeper than a record has room for' "which_the_summary_of_stacks_counts"
like "$(cat deeper.said)" 'of the stacks written as addresses, [1-9][0-9]* lack outer frames, because the stacks are too deep' "and_the_recorder_says"
if command -v perf >/dev/null; then
	perf_quietly script --max-stack 10000 -i deeper.data -F ip,sym >deeper.perf
	like "$(grep -m 1 -A 1 e11ded deeper.perf)" $'e11ded00001[0-9]{4} \\[unknown\\].*\n.* recurse' "perf_shows_one_unknown_frame_and_goes_on"
else
	skip "perf is not installed" "perf_shows_one_unknown_frame_and_goes_on"
fi

# A function whose array spans pages that nothing has touched: a dump of the kernel ends there.
cat >gap.c <<'END_OF_C'
#include <stdlib.h>
__attribute__((noinline, noclone)) static unsigned long leaf(volatile char *room, unsigned long n)
{
	unsigned long sum = 0;
	for (unsigned long i = 0; i < n; i++)
		sum += i ^ room[0];
	return sum;
}
__attribute__((noinline, noclone)) static unsigned long large(unsigned long n)
{
	volatile char room[48 << 10];
	room[0] = 1;
	return leaf(room, n) + room[0];
}
int main(int count, char **arguments)
{
	return large(count > 1 ? strtoul(arguments[1], NULL, 10) : 300000000) == 1;
}
END_OF_C
gcc -O2 -fomit-frame-pointer -fno-stack-clash-protection -o gap gap.c
record gap ./gap
are_whole gap leaf "a_stack_behind_pages_that_were_never_touched_is_whole"

# The same if every other page is such a hole, for 400 KiB.
sed -e 's/48 << 10/8 << 10/' -e 's/large(unsigned long n)/large(int depth, unsigned long n)/' \
	-e 's/return leaf(room, n)/return (depth ? large(depth - 1, n) : leaf(room, n))/' \
	-e 's/large(count/large(50, count/' gap.c >gaps.c
gcc -O2 -fomit-frame-pointer -fno-stack-clash-protection -fno-optimize-sibling-calls -fno-inline -o gaps gaps.c
record gaps ./gaps
are_whole gaps leaf "so_is_one_in_which_every_other_page_was_never_touched"
frames=$("$xprof" script -i gaps.data -F ip,sym 2>/dev/null | awk '/ large/ { n++ } /^$/ { if (n > most) most = n; n = 0 } END { print most }')
is "$frames" 51 "with_every_call"

cat >handler.c <<'END_OF_C'
#define _GNU_SOURCE
#include <signal.h>
#include <stdlib.h>
__attribute__((noinline, noclone)) static unsigned long leaf(void)
{
	volatile unsigned long sum = 0;
	for (unsigned long i = 0; i < 200000000; i++)
		sum += i;
	return sum;
}
static void handler(int number)
{
	(void)number;
	(void)leaf();
}
__attribute__((noinline, noclone)) static void interrupted(void)
{
	raise(SIGUSR1);
	__asm__ volatile("");
}
int main(void)
{
	stack_t stack = { .ss_sp = malloc(1 << 16), .ss_size = 1 << 16 };
	struct sigaction action = { .sa_handler = handler, .sa_flags = SA_ONSTACK };
	sigaltstack(&stack, NULL);
	sigaction(SIGUSR1, &action, NULL);
	interrupted();
	return 0;
}
END_OF_C
gcc -O2 -fomit-frame-pointer -o handler handler.c
record handler ./handler
are_whole handler leaf "the_stack_below_a_handler_with_its_own_is_whole"

# The same if the handler interrupts code on a stack in the heap: only the signal frame says where.
cat >fiber.c <<'END_OF_C'
static char room[1 << 16];
void *saved, *fiber_stack = room + sizeof(room);
void begin(void);
__asm__(".globl begin\n.type begin, @function\nbegin:\n.cfi_startproc\n.cfi_undefined rip\n"
	"movq %rsp, saved(%rip)\nmovq fiber_stack(%rip), %rsp\ncall interrupted\nmovq saved(%rip), %rsp\nret\n"
	".cfi_endproc\n.size begin, . - begin");
END_OF_C
sed -e 's/) static void interrupted/) void interrupted/' -e '/^int main/,$ s/interrupted();/begin();/' handler.c >>fiber.c
if [ "$(uname -m)" = x86_64 ]; then
	gcc -O2 -no-pie -fomit-frame-pointer -o fiber fiber.c
	record fiber ./fiber
	is "$("$xprof" report -i fiber.data --no-inline --folded --weight samples 2>/dev/null |
		awk '/;leaf [0-9]+$/ { all += $NF; if (/;begin;interrupted;.*;leaf /) whole += $NF }
			END { print (all >= 10 && whole * 20 >= all * 19 ? "whole" : whole + 0 " of " all) }')" whole "so_is_one_in_the_heap_below_a_handler"
else
	skip "needs x86-64" "so_is_one_in_the_heap_below_a_handler"
fi

# A goroutine's stack is a piece of Go's heap, whose g, in a register, gives its end: no more is copied.
cat >goroutine.c <<'END_OF_C'
#define _GNU_SOURCE
#include <stdint.h>
#include <sys/mman.h>
__attribute__((noinline, noclone)) static void leaf(void)
{
	for (volatile unsigned long i = 0; i < 200000000; i++)
		;
}
int main(void)
{
	enum { HEAP_BYTES = 4 << 20, START = 1 << 20, STACK_BYTES = 8 << 10 };
	uintptr_t heap = (uintptr_t)mmap((void *)0xc000000000, HEAP_BYTES, PROT_READ | PROT_WRITE,
					 MAP_PRIVATE | MAP_ANONYMOUS | MAP_POPULATE, -1, 0);
	uintptr_t *g = (uintptr_t *)heap;

	g[0] = heap + START;
	g[1] = g[0] + STACK_BYTES;
	__asm__ volatile("movq %%rsp, %%rbx\n\tmovq %0, %%r14\n\tmovq %1, %%rsp\n\tcall *%2\n\tmovq %%rbx, %%rsp"
			 :
			 : "r"(g), "r"(g[1] - 1024), "r"(leaf)
			 : "rbx", "r14", "rax", "rcx", "rdx", "rsi", "rdi", "r8", "r9", "r10", "r11", "memory", "cc");
	return 0;
}
END_OF_C
if [ "$(uname -m)" = x86_64 ]; then
	gcc -O2 -o goroutine goroutine.c
	"$xprof" record -q -g --evidence=all -e cpu-clock -F 997 -o goroutine.data -- ./goroutine 2>/dev/null
	samples=$("$xprof" dump --summary -i goroutine.data | awk '/type SAMPLE/ { print $4 }')
	bytes=$(($(stat -c %s goroutine.data) / samples))
	diag "$samples samples of $bytes bytes"
	is "$((samples >= 50 && bytes < 4096))" 1 "of_a_stack_in_gos_heap_no_more_is_copied_than_there_is"
else
	skip "needs x86-64" "of_a_stack_in_gos_heap_no_more_is_copied_than_there_is"
fi

"$xprof" record -v --no-bpf --no-continue-stacks -g -e cpu-clock -F 997 -o dumps.data -- ./gap >/dev/null 2>dumps.said
like "$(cat dumps.said)" "stacks: dumped by the kernel: --no-bpf was given" "without_bpf_the_kernel_dumps"
like "$(samples_in dumps leaf)" '^0 of [1-9]' "and_cannot_reach_behind_such_pages"
"$xprof" record -q --no-bpf -g -e cpu-clock -F 997 -o continued.data -- ./gap 3000000000 >/dev/null 2>&1
if [ "$(uname -m)" = x86_64 ]; then
	like "$(samples_in continued leaf)" '^[1-9][0-9]* of [1-9]' "as_the_recorder_can_that_reads_on_in_the_process"
else
	skip "needs x86-64" "as_the_recorder_can_that_reads_on_in_the_process"
fi

# Copies may wait for their samples; the recorder does not start a round meanwhile.
# shellcheck disable=SC2016 # for the shell that is recorded
"$xprof" record -q -a -g -e cpu-clock -F 997 -o rounds.data -- \
	bash -c 'for ((i = 0; i < 400; i++)); do /bin/true; done' 2>/dev/null
rounds=$("$xprof" dump --summary -i rounds.data | awk '/type SAMPLE/ { samples = $4 } /type FINISHED_ROUND/ { rounds = $4 }
	END { print (rounds > 0 && rounds * 5 < samples ? "few" : rounds " of " samples " samples") }')
is "$rounds" few "a_round_of_the_recorder_is_for_many_samples"

# As on Linux before 6.3: the program does not know the time of its sample, so copies are paired by the clock.
judge=$build/test/continued/continued
if [ -x "$judge" ]; then
	judged=$("$judge" -k -F 997 -d 65528 ./handler 2>&1; "$judge" -k -F 997 -d 65528 ./deep 300 2>&1)
	diag "$judged"
	is "$(awk '{ for (i = 1; i < NF; i += 2) sum[$i] += $(i + 1) }
		END { print (sum["unmarked"] > 1000 && sum["wrong_unmarked"] == 0 && sum["uncopied"] * 20 <= sum["samples"] ? "right" : "wrong") }' <<<"$judged")" \
		right "copies_that_are_paired_by_the_clock_have_the_frames_that_dumps_have"
else
	skip "$judge is not built" "copies_that_are_paired_by_the_clock_have_the_frames_that_dumps_have"
fi

# Compares copies with the memory of the thread, which is stopped at its sample: byte by byte, and frame by frame.
judge=$build/test/continued/copied
if [ -x "$judge" ] && "$judge" true >truth.probe 2>truth.said; then
	gcc -O2 -fomit-frame-pointer -fno-optimize-sibling-calls -o rebuild "$source_root/test/continued/programs/rebuild.c"
	judged=$(for options in '' -k; do
		"$judge" $options -F 1997 ./rebuild 100000
		"$judge" $options -F 1997 -s 1 ./handler
		"$judge" $options -F 1997 -s 1 ./deep 900
	done 2>&1)
	diag "$judged"
	sums=$(awk '{ for (i = 1; i < NF; i += 2) sum[$i] += $(i + 1) } END { for (name in sum) print name, sum[name] }' <<<"$judged")
	sum_of() { awk -v name="$1" '$1 == name { print $2 }' <<<"$sums"; }
	ok "stacks_of_stopped_threads_were_judged" test "$(sum_of unmarked)" -gt 10000
	is "$(sum_of differing_user)" 0 "copies_have_the_bytes_that_the_stopped_thread_has"
	is "$(sum_of wrong_unmarked) $(sum_of wrong_marked)" "0 0" "and_the_frames"
	ok "hardly_a_sample_is_without_its_copy" test $(($(sum_of uncopied) * 20)) -le "$(sum_of samples)"
else
	skip "$(cat truth.said 2>/dev/null)" "stacks_of_stopped_threads_were_judged"
fi
done_testing
