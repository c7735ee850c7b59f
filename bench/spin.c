/*
 * A program that only an interrupt, or another program on its CPU, can slow down: it hardly uses caches or the kernel. For
 * slowdown.py it writes a byte after each tenth of a millisecond in which it ran: whenever the clock jumps by more than half a
 * microsecond from one look to the next, something else ran, and that span does not count.
 *
 * usage: spin [STACK_BYTES]     has at least so many bytes of frames on its stack (8192)
 */
#include <alloca.h>
#include <stdint.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/clock.h"

enum { NS_PER_BYTE = 100000, INTERRUPTED_NS = 500 };

static void spin(void)
{
	uint64_t before = clock_now_ns(), ran_ns = 0;

	for (;;) {
		const uint64_t now = clock_now_ns();

		if (now - before < INTERRUPTED_NS)
			ran_ns += now - before;
		before = now;
		if (ran_ns < NS_PER_BYTE)
			continue;
		ran_ns -= NS_PER_BYTE;
		if (write(STDOUT_FILENO, ".", 1) != 1)
			exit(1);
		before = clock_now_ns();
	}
}

int main(int argc, char **argv)
{
	const size_t bytes = argc > 1 ? strtoul(argv[1], NULL, 10) : 8192;
	volatile char *frames = alloca(bytes + 1);

	for (size_t i = 0; i <= bytes; i++)
		frames[i] = 1;
	spin();
	return 0;
}
