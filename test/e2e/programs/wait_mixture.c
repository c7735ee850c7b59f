/*
 * Waits in five functions for random times, in a random order. Prints "FUNCTION SECONDS SHARE" for each: its time off the CPU,
 * and how likely a wait is in this function, which is its share of the time in the long run. Most waits are shorter than the
 * millisecond for which a stack is taken. The shares are random, too.
 *
 * usage: wait_mixture SEED
 */
#define _GNU_SOURCE
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#define APART __attribute__((noinline, noclone))

enum { FUNCTIONS = 5 };

static const double all_seconds = 0.5, shortest_ns = 20e3, longest_ns = 3e6;
static volatile unsigned int sink;

static double seconds_of(clockid_t clock)
{
	struct timespec time;

	clock_gettime(clock, &time);
	return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

static void pause_ns(long ns)
{
	const struct timespec time = { .tv_nsec = ns };

	nanosleep(&time, NULL);
}

/*
 * Seconds off the CPU. The function itself reads the clock, first and last: the program may be preempted at the end of any
 * system call, also of one that reads the other clock, and that time belongs to the function, too.
 */
#define WAIT_IN(name)                                                                \
	APART static double name(long ns)                                            \
	{                                                                            \
		const double begin = seconds_of(CLOCK_MONOTONIC);                    \
		const double ran_before = seconds_of(CLOCK_THREAD_CPUTIME_ID);       \
		double ran;                                                          \
                                                                                     \
		pause_ns(ns);                                                        \
		ran = seconds_of(CLOCK_THREAD_CPUTIME_ID) - ran_before;              \
		sink++;                                                              \
		return seconds_of(CLOCK_MONOTONIC) - begin - ran; /* no tail call */ \
	}

WAIT_IN(wait_a)
WAIT_IN(wait_b)
WAIT_IN(wait_c)
WAIT_IN(wait_d)
WAIT_IN(wait_e)

static const struct {
	const char *name;
	double (*wait)(long ns);
} functions[FUNCTIONS] = { { "wait_a", wait_a },
			   { "wait_b", wait_b },
			   { "wait_c", wait_c },
			   { "wait_d", wait_d },
			   { "wait_e", wait_e } };

/* Draws the number of a function, each as likely as its weight. */
static int draw(const double *weights)
{
	double left = drand48();

	for (int i = 0; i < FUNCTIONS - 1; i++) {
		left -= weights[i];
		if (left < 0)
			return i;
	}
	return FUNCTIONS - 1;
}

int main(int argc, char **argv)
{
	double weights[FUNCTIONS], sum = 0, measured[FUNCTIONS] = { 0 }, all = 0;

	if (argc != 2)
		return 2;
	srand48(atol(argv[1]));
	for (int i = 0; i < FUNCTIONS; i++)
		sum += weights[i] = -log(1 - drand48());
	for (int i = 0; i < FUNCTIONS; i++)
		weights[i] /= sum;
	while (all < all_seconds) {
		const int number = draw(weights);
		const double ns = shortest_ns * pow(longest_ns / shortest_ns, drand48());
		const double waited = functions[number].wait((long)ns);

		measured[number] += waited;
		all += waited;
	}
	for (int i = 0; i < FUNCTIONS; i++)
		printf("%s %.6f %.6f\n", functions[i].name, measured[i], weights[i]);
	return 0;
}
