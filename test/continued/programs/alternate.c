/*
 * Two callers take turns, thousands of times a second, to call the same recursion, which is deeper than a stack dump: only the
 * stack above the dump tells them apart.
 */
#include <stdlib.h>

static unsigned long sum, turns = 1;

__attribute__((noinline, noclone)) static void recurse(int depth)
{
	volatile char room[200];

	room[depth % 200] = (char)depth;
	if (depth > 0)
		recurse(depth - 1);
	for (int i = 0; i < 20; i++)
		sum += room[depth % 200];
}

__attribute__((noinline, noclone)) static void first(void)
{
	recurse(120);
	__asm__ volatile("");
}

__attribute__((noinline, noclone)) static void second(void)
{
	recurse(120);
	__asm__ volatile("");
}

int main(int count, char **arguments)
{
	for (long round = count > 1 ? atol(arguments[1]) : 400000; round > 0; round--) {
		turns = turns * 6364136223846793005ul + 1442695040888963407ul;
		if (turns >> 63)
			first();
		else
			second();
	}
	return sum == 1;
}
