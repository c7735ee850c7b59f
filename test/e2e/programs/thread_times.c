/*
 * Threads that spend their time in different ways: three compute on one CPU and wait for each other, one sleeps, one computes and
 * sleeps in turn, one is blocked in a pipe. Each prints its number, its kind and how long it lived, in nanoseconds. Usage:
 * thread_times SECONDS.
 */
#define _GNU_SOURCE
#include <pthread.h>
#include <sched.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

static uint64_t life_ns;
static int ends[2];

static uint64_t now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

static void compute_until(uint64_t end_ns)
{
	volatile unsigned long sum = 0;

	while (now_ns() < end_ns)
		for (unsigned long i = 0; i < 1000; i++)
			sum += i;
}

static void sleep_ns(long ns)
{
	nanosleep(&(struct timespec){ .tv_sec = ns / 1000000000, .tv_nsec = ns % 1000000000 }, NULL);
}

static void *live(void *context)
{
	const char *kind = context;
	const uint64_t began_ns = now_ns(), end_ns = began_ns + life_ns;
	char byte;

	switch (*kind) {
	case 'c': compute_until(end_ns); break;
	case 's':
		while (now_ns() < end_ns)
			sleep_ns(20000000);
		break;
	case 'm':
		while (now_ns() < end_ns) {
			compute_until(now_ns() + 7000000);
			sleep_ns(3000000);
		}
		break;
	default:
		if (read(ends[0], &byte, 1) != 1)
			perror("read");
		break;
	}
	printf("%d %s %llu\n", gettid(), kind, (unsigned long long)(now_ns() - began_ns));
	return NULL;
}

int main(int count, char **arguments)
{
	static char *const kinds[] = { "computes", "computes", "computes", "sleeps", "mixes", "blocked" };
	enum { THREADS = sizeof(kinds) / sizeof(*kinds) };
	pthread_t threads[THREADS];
	cpu_set_t first;

	life_ns = (uint64_t)(atof(arguments[count - 1]) * 1e9);
	if (pipe(ends) < 0)
		return 1;
	CPU_ZERO(&first);
	CPU_SET(0, &first);
	for (int i = 0; i < THREADS; i++) {
		pthread_create(&threads[i], NULL, live, kinds[i]);
		if (*kinds[i] == 'c')
			pthread_setaffinity_np(threads[i], sizeof(first), &first);
	}
	for (int i = 0; i < THREADS; i++) {
		if (*kinds[i] == 'b' && write(ends[1], "", 1) != 1)
			return 1;
		pthread_join(threads[i], NULL);
	}
	return 0;
}
