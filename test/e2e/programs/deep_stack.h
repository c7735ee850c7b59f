/*
 * Stacks of known depths, as part of trap_workload.c or of a library. PREFIX gives functions of libraries names of their own,
 * which tell their frames apart.
 */
#include <time.h>

#ifndef PREFIX
#define PREFIX(name) name
#endif

static double cpu_seconds(void)
{
	struct timespec now;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
	return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

/*
 * Four kinds of stacks with frames at the same places: if one is read for another, its functions show that. Each begins with
 * another number, or the compiler would merge them.
 */
#define KIND(leaf, recurse, first)                                                       \
	__attribute__((noinline, noclone)) static void PREFIX(leaf)(int ms)              \
	{                                                                                \
		const double end = cpu_seconds() + ms / 1e3;                             \
		volatile unsigned long sum = first;                                      \
                                                                                         \
		do                                                                       \
			for (unsigned long i = 0; i < 300000; i++)                       \
				sum += i;                                                \
		while (cpu_seconds() < end);                                             \
	}                                                                                \
	__attribute__((noinline, noclone)) static int PREFIX(recurse)(int depth, int ms) \
	{                                                                                \
		volatile char room[216];                                                 \
                                                                                         \
		room[depth % 216] = first;                                               \
		if (depth > 0)                                                           \
			return PREFIX(recurse)(depth - 1, ms) + room[depth % 216];       \
		PREFIX(leaf)(ms);                                                        \
		return room[depth % 216];                                                \
	}
KIND(leaf0, recurse0, 0)
KIND(leaf1, recurse1, 1)
KIND(leaf2, recurse2, 2)
KIND(leaf3, recurse3, 3)

__attribute__((noinline, noclone)) void deep_stack(int turn, int ms)
{
	switch (turn % 4) {
	case 0: (void)PREFIX(recurse0)(110, ms); break;
	case 1: (void)PREFIX(recurse1)(140, ms); break;
	case 2: (void)PREFIX(recurse2)(170, ms); break;
	default: (void)PREFIX(recurse3)(200, ms); break;
	}
	__asm__ volatile("");
}
