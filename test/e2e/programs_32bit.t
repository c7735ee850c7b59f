#!/usr/bin/env bash
# Programs of 32 bits on an x86-64 machine: their stacks, in recordings of perf and of xprof. Their system calls and the ends of
# signal handlers lie in a vdso of their own.
set -u
# shellcheck source=test/e2e/lib.sh
. "$(dirname "$0")/lib.sh"
cd "$tmp" || exit
[ "$(uname -m)" = x86_64 ] || skip_all "not an x86-64 machine"

cat >narrow.c <<'END_OF_C'
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/time.h>
#include <unistd.h>

static volatile unsigned long sum;

__attribute__((noinline, noclone)) static void leaf(unsigned long n)
{
	for (unsigned long i = 0; i < n; i++)
		sum += i;
	sum += (unsigned long)write(1, "", 0);
}
__attribute__((noinline, noclone)) static unsigned long recurse(int depth)
{
	volatile char room[28];
	room[depth % 28] = 1;
	if (depth == 0)
		leaf(20000);
	return depth ? recurse(depth - 1) + (unsigned long)room[depth % 28] : 0;
}
static int compare(const void *a, const void *b)
{
	return *(const int *)a - *(const int *)b;
}
__attribute__((noinline, noclone)) static void sort_something(void)
{
	int numbers[512];
	for (int i = 0; i < 512; i++)
		numbers[i] = rand();
	qsort(numbers, 512, sizeof(*numbers), compare); /* calls back from a library without frame pointers */
}
__attribute__((noinline, noclone)) static void call_the_kernel(void)
{
	for (int i = 0; i < 200; i++)
		sum += (unsigned long)getppid();
}
static void handler(int number)
{
	(void)number;
	leaf(200000);
}
static void *run(void *rounds)
{
	for (int i = 0; i < *(int *)rounds; i++) {
		sum += recurse(100);
		sort_something();
		call_the_kernel();
	}
	return NULL;
}
int main(int count, char **arguments)
{
	struct sigaction action = { .sa_handler = handler };
	struct sigaction with_siginfo = { .sa_handler = handler, .sa_flags = SA_SIGINFO };
	struct itimerval often = { { 0, 5000 }, { 0, 5000 } };
	int rounds = atoi(arguments[count - 1]);
	pthread_t thread;

	sigaction(SIGPROF, &action, NULL);
	sigaction(SIGVTALRM, &with_siginfo, NULL);
	setitimer(ITIMER_PROF, &often, NULL);
	setitimer(ITIMER_VIRTUAL, &often, NULL);
	pthread_create(&thread, NULL, run, &rounds);
	run(&rounds);
	pthread_join(thread, NULL);
	return 0;
}
END_OF_C
gcc -m32 -O2 -fomit-frame-pointer -fno-optimize-sibling-calls -pthread -o narrow narrow.c 2>gcc.said ||
	skip_all "gcc makes no 32-bit programs here: $(head -1 gcc.said)"

# NAME: share of whole stacks, as "1234 whole, 0 cut".
stacks_of() {
	"$xprof" report -i "$1.data" --stacks --no-join-stacks 2>/dev/null |
		awk '/^# Stacks: / { gsub(",", ""); printf "%d whole, %d cut\n", $4, $3 - $4; exit }'
}
# NAME: depths of the stacks with the recursion's leaf, counted.
recursions_of() {
	"$xprof" script -i "$1.data" -F ip,sym 2>/dev/null |
		awk '/ leaf$/ { leaf = 1 } / handler$/ { leaf = 0 } / recurse$/ { n++ }
			/^$/ { if (leaf && n) print n; n = leaf = 0 }' | sort | uniq -c | awk '{ printf "%s", $2 " " }'
}
# NAME TEST...: five tests of a recording.
are_right() {
	like "$(stacks_of "$1")" '^[1-9][0-9]+ whole, [0-2] cut$' "$2: stacks reach the start of their threads"
	is "$(recursions_of "$1")" "101 " "$2: every call of a recursion is there"
	"$xprof" report -i "$1.data" --no-inline --folded 2>/dev/null >"$1.folded"
	ok "$2: callers are found through a library" grep -q ';main;run;sort_something;.*;compare ' "$1.folded"
	ok "$2: threads begin where they begin" grep -Eq '(clone3?|start_thread|libc\.so\.6[^;]*);run;recurse' "$1.folded"
	ok "$2: the vdso is that of 32-bit programs" grep -q ';call_the_kernel;[^ ]*;__kernel_vsyscall' "$1.folded"
	ok "$2: handlers stand on what they interrupted" \
		grep -Eq ';run;[^ ]*;__kernel_(rt_)?sigreturn;handler;leaf[; ]' "$1.folded"
}

"$xprof" record -g -e cpu-clock -F 1999 -o own.data -- ./narrow 1500 >/dev/null 2>own.said || diag "$(cat own.said)"
are_right own "recorded with -g"
"$xprof" record --no-bpf -g -e cpu-clock -F 1999 -o dumps.data -- ./narrow 1500 >/dev/null 2>dumps.said
are_right dumps "recorded with the kernel's dumps"
if command -v perf >/dev/null; then
	perf record -q --call-graph dwarf,16384 -e cpu-clock -F 1999 -o theirs.data -- ./narrow 1500 >/dev/null 2>&1
	are_right theirs "recorded by perf"
else
	skip "perf is not installed" "recorded by perf"
fi

"$xprof" report -i own.data --no-inline -g none --sort dso,sym --stdio 2>/dev/null >own.table
like "$(cat own.table)" '[[]vdso32]' "its name is perf's"
like "$(cat own.table)" 'narrow  *[[].] recurse' "functions of ELF files of 32 bits have names"
done_testing
