/*
 * Rebuilds its stack as fast as it can: descends through randomly chosen functions, some 400 frames deep, and returns. All frames
 * have the same size, so the frames of one path lie where those of another did.
 */
#include <stdlib.h>

#define WAYS 4

static unsigned long state = 88172645463325252ul, sum;

static unsigned int chosen(void)
{
	state ^= state << 13;
	state ^= state >> 7;
	state ^= state << 17;
	return state >> 33 & (WAYS - 1);
}

static void down(int depth);

#define WAY(name)                                                      \
	__attribute__((noinline, noclone)) static void name(int depth) \
	{                                                              \
		volatile char room[72];                                \
		room[depth % 72] = (char)depth;                        \
		down(depth - 1);                                       \
		sum += room[depth % 72];                               \
	}
WAY(north)
WAY(east)
WAY(south)
WAY(west)

__attribute__((noinline, noclone)) static void down(int depth)
{
	if (depth <= 0)
		return;
	switch (chosen()) {
	case 0: north(depth); break;
	case 1: east(depth); break;
	case 2: south(depth); break;
	default: west(depth); break;
	}
	__asm__ volatile("");
}

int main(int count, char **arguments)
{
	for (long round = count > 1 ? atol(arguments[1]) : 200000; round > 0; round--)
		down(200 + (int)(chosen() * 64 + chosen() * 8));
	return sum == 1;
}
