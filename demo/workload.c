/*
 * A program whose profile is known: four functions burn 40, 30, 20 and 10 % of
 * its CPU time. Each is measured while it runs (CLOCK_THREAD_CPUTIME_ID), so
 * that what a profiler says can be compared with what was.
 *
 * usage: workload [SECONDS [THREADS]]
 *
 * At the end one line per part, separated by tabs:
 *   truth  FUNCTION  SHARE  CPU_NS  FRAMES
 * FRAMES is the number of frames of the part from run_round() (excluded) to
 * FUNCTION (included).
 */

#include <errno.h>
#include <inttypes.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "burn.h"

enum {
	DEEP_FRAMES = 200,
	MAX_THREADS = 64,
	CHUNKS_A_ROUND = 10,
	MAX_UNITS_A_CHUNK = 20,
};

static uint64_t run_deep_c(uint64_t seed, unsigned int units);

struct part {
	const char *function;
	uint64_t (*run)(uint64_t seed, unsigned int units);
	unsigned int chunks; /* of the CHUNKS_A_ROUND */
	unsigned int frames;
};

static const struct part parts[] = {
	{ "shallow_c", shallow_c, 4, 1 },
	{ "demo::Circle::area", virtual_cpp, 3, 4 },
	{ "deep_c_leaf", run_deep_c, 2, DEEP_FRAMES + 2 },
	{ "demo::Grid<double>::relax", template_cpp, 1, 10 },
};

enum { PART_COUNT = sizeof(parts) / sizeof(parts[0]) };

struct worker {
	pthread_t thread;
	uint64_t seed;
	uint64_t result; /* printed, so that nothing can be optimised away */
	uint64_t deadline_ns;
	uint64_t cpu_ns[PART_COUNT];
};

static uint64_t run_deep_c(uint64_t seed, unsigned int units)
{
	seed = deep_c(seed, units, DEEP_FRAMES);
	__asm__ volatile("" : "+r"(seed));
	return seed;
}

static uint64_t now_ns(clockid_t clock)
{
	struct timespec now;

	clock_gettime(clock, &now);
	return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

/* Marsaglia's xorshift64. */
static uint64_t random_next(uint64_t *seed)
{
	*seed ^= *seed << 13;
	*seed ^= *seed >> 7;
	*seed ^= *seed << 17;
	return *seed;
}

/* The parts of a round in random order, so that no sampling period keeps step with them. */
static void shuffle(unsigned char order[CHUNKS_A_ROUND], uint64_t *seed)
{
	unsigned int part, chunk, filled = 0;

	for (part = 0; part < PART_COUNT; part++)
		for (chunk = 0; chunk < parts[part].chunks; chunk++)
			order[filled++] = (unsigned char)part;
	for (chunk = CHUNKS_A_ROUND - 1; chunk > 0; chunk--) {
		unsigned int other = (unsigned int)(random_next(seed) % (chunk + 1));
		unsigned char moved = order[chunk];

		order[chunk] = order[other];
		order[other] = moved;
	}
}

static void run_round(struct worker *worker)
{
	unsigned int units = 1 + (unsigned int)(random_next(&worker->seed) % MAX_UNITS_A_CHUNK);
	unsigned char order[CHUNKS_A_ROUND];
	unsigned int chunk;

	shuffle(order, &worker->seed);
	for (chunk = 0; chunk < CHUNKS_A_ROUND; chunk++) {
		const struct part *part = &parts[order[chunk]];
		uint64_t before_ns = now_ns(CLOCK_THREAD_CPUTIME_ID);

		worker->result ^= part->run(worker->result, units);
		worker->cpu_ns[order[chunk]] += now_ns(CLOCK_THREAD_CPUTIME_ID) - before_ns;
	}
}

static void *run_thread(void *argument)
{
	struct worker *worker = argument;

	while (now_ns(CLOCK_MONOTONIC) < worker->deadline_ns)
		run_round(worker);
	return NULL;
}

static void print_truth(const struct worker *workers, unsigned int threads)
{
	uint64_t cpu_ns[PART_COUNT] = { 0 }, total_ns = 0, result = 0;
	unsigned int part, i;

	for (i = 0; i < threads; i++) {
		result ^= workers[i].result;
		for (part = 0; part < PART_COUNT; part++) {
			cpu_ns[part] += workers[i].cpu_ns[part];
			total_ns += workers[i].cpu_ns[part];
		}
	}
	for (part = 0; part < PART_COUNT; part++)
		printf("truth\t%s\t%.5f\t%" PRIu64 "\t%u\n", parts[part].function,
		       total_ns ? (double)cpu_ns[part] / (double)total_ns : 0.0, cpu_ns[part],
		       parts[part].frames);
	printf("result\t%016" PRIx64 "\n", result);
}

/* A number between 0 and `largest`; exits when the text is anything else. */
static double number(const char *text, double largest)
{
	char *end;
	double value = strtod(text, &end);

	if (end == text || *end || !(value >= 0 && value <= largest)) {
		fprintf(stderr,
			"workload: '%s' is not a number up to %g; usage: workload [SECONDS [THREADS]]\n",
			text, largest);
		exit(2);
	}
	return value;
}

int main(int argc, char **argv)
{
	static struct worker workers[MAX_THREADS];
	double seconds = argc > 1 ? number(argv[1], 86400) : 5;
	unsigned int threads = argc > 2 ? (unsigned int)number(argv[2], MAX_THREADS) : 2;
	uint64_t deadline_ns = now_ns(CLOCK_MONOTONIC) + (uint64_t)(seconds * 1e9);
	unsigned int i;

	for (i = 0; i < threads; i++) {
		workers[i].seed = 0x9e3779b97f4a7c15u * (i + 1);
		workers[i].deadline_ns = deadline_ns;
		errno = pthread_create(&workers[i].thread, NULL, run_thread, &workers[i]);
		if (errno) {
			perror("workload: cannot start a thread");
			return 1;
		}
	}
	for (i = 0; i < threads; i++)
		pthread_join(workers[i].thread, NULL);
	print_truth(workers, threads);
	return 0;
}
