#!/usr/bin/env bash
# --wakers: a thread waited for one that waited for another, and so on up to a timer; each with its stack.
set -u
# shellcheck source=test/e2e/lib.sh
. "$(dirname "$0")/lib.sh"
cd "$tmp" || exit

# feeder, which naps, wakes parser, which wakes sorter, which wakes printer, which wakes the first thread.
cat >chain.c <<'END_OF_C'
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/prctl.h>
#include <unistd.h>
#define STAGE static __attribute__((noinline, noclone)) void
enum { ROUNDS = 40 };
static int pipes[4][2];
STAGE take(int from)
{
	char byte;
	if (read(pipes[from][0], &byte, 1) != 1)
		perror("read");
}
STAGE give(int to)
{
	if (write(pipes[to][1], "x", 1) != 1)
		perror("write");
}
STAGE feed(void) { usleep(15000); give(0); }
STAGE parse(void) { take(0); give(1); }
STAGE sort(void) { take(1); give(2); }
STAGE print(void) { take(2); give(3); }
static void *run(void *number)
{
	static void (*const work[])(void) = { feed, parse, sort, print };
	static const char *const names[] = { "feeder", "parser", "sorter", "printer" };
	prctl(PR_SET_NAME, names[(uintptr_t)number]);
	for (int i = 0; i < ROUNDS; i++)
		work[(uintptr_t)number]();
	return NULL;
}
int main(void)
{
	pthread_t thread;
	for (int i = 0; i < 4; i++)
		if (pipe(pipes[i]))
			return 1;
	for (uintptr_t i = 0; i < 4; i++)
		if (pthread_create(&thread, NULL, run, (void *)i))
			return 1;
	for (int i = 0; i < ROUNDS; i++)
		take(3);
	return 0;
}
END_OF_C
gcc -O2 -fno-optimize-sibling-calls -pthread -o chain chain.c || exit
"$xprof" record -q --off-cpu -g -o waits.data -- ./chain 2>err || skip_all "no waits here: $(head -1 err)"
"$xprof" report -i waits.data --folded --wakers --wait pipe 2>/dev/null >folded

# COMM PATTERN: per cent of the time that threads with this name waited in stacks with the pattern
share() {
	awk -v comm="$1" -v pattern="$2" '
		index($0, comm ";") == 1 { all += $NF; if ($0 ~ pattern) these += $NF }
		END { printf "%d\n", all ? 100 * these / all : 0 }' folded
}
feeder='--;[^-]*;give;feed;[^-]*;feeder;--;\\[timer\\] '
parser="--;[^-]*;give;parse;[^-]*;parser;$feeder"
sorter="--;[^-]*;give;sort;[^-]*;sorter;$parser"
printer="--;[^-]*;give;print;[^-]*;printer;$sorter"
# The first rounds, or a thread that a busy machine lets wait for a CPU before it can sleep, may differ.
for case in "parser take;read" "sorter take;read" "printer take;read" "chain main;take;read"; do
	read -r comm call <<<"$case"
	case $comm in
	parser) chain=$feeder ;;
	sorter) chain=$parser ;;
	printer) chain=$sorter ;;
	chain) chain=$printer ;;
	esac
	percent=$(share "$comm" "$call;.*$chain")
	ok "$comm waited for the whole chain ($percent%)" test "$percent" -ge 80
done

"$xprof" script -i waits.data 2>/dev/null >script.txt
is "$(sed -n '/^# \[wait\].*; woken by thread [0-9]* printer$/,/timer$/ s/.*woken by \(thread [0-9]* \)\{0,1\}//p' script.txt | head -5 | tr '\n' ' ')" \
	"printer sorter parser feeder timer " "script has the wakers of the waker"
if command -v perf >/dev/null; then
	is "$(perf_samples waits.data)" "$("$xprof" dump --summary waits.data | sed -n 's/.*type SAMPLE count \([0-9]*\) .*/\1/p')" \
		"perf counts the same samples"
fi
done_testing
