/*
 * Measures the engine alone, without reading files: the time to compile all FDEs of the named libraries, and the time for a frame
 * of a stack that was seen before, in one thread and in two at once.
 *
 * usage: unwind FILE...
 */

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "support/own_process.h"

enum {
	COMPILATIONS = 5,
	DEPTH = 40,
	MAX_FRAMES = 256,
	BATCHES = 100,
	WALKS = 1000,
	STACK_BYTES = 64 << 10,
	MAX_THREADS = 2
};

static double now_s(void)
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);
	return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

static void count_row(void *context, uint64_t start, uint64_t end, const struct unwind_rule *rule)
{
	(void)context;
	(void)start;
	(void)end;
	(void)rule;
}

/* Seconds to compile all FDEs of a file, including opening it. Negative if the file cannot be read. */
static double compile_once(const char *path, struct module_counts *counts)
{
	struct error err;
	struct elf_file *file = elf_file_open(path, &err);
	double start = now_s(), time;
	struct module *module = file ? module_create(0, file, NULL, &err) : NULL;

	*counts = (struct module_counts){ 0 };
	if (!module) {
		printf("%s\n", err.message);
		return -1;
	}
	module_visit_rows(module, count_row, NULL);
	time = now_s() - start;
	module_count(module, counts);
	module_destroy(module);
	return time;
}

static void compile_all(const char *path)
{
	struct module_counts counts;
	double best = compile_once(path, &counts);

	for (int i = 1; i < COMPILATIONS && best > 0; i++) {
		double time = compile_once(path, &counts);

		best = time < best ? time : best;
	}
	if (best < 0)
		return;
	printf("%-56s %7zu FDEs %8zu rows %6zu rules  %.3f s  %.0f ns/FDE  %.2f bytes/row\n", path,
	       counts.fde_count, counts.row_count, counts.rule_count, best,
	       best * 1e9 / (double)counts.fde_count, (double)counts.size_bytes / (double)counts.row_count);
}

struct bench {
	struct own_process process;
};

/* A thread with an unwinder of its own; all threads share the modules. */
struct walker {
	const struct unwind_input *input;
	pthread_barrier_t *begin;
	double start_s[BATCHES], end_s[BATCHES];
	struct unwind_stack stack;
	struct unwind_frame frames[MAX_FRAMES];
};

static void *walk_in_batches(void *argument)
{
	struct walker *walker = argument;
	struct unwinder *unwinder = unwinder_create();

	walker->stack = (struct unwind_stack){ .frames = walker->frames, .capacity = MAX_FRAMES };
	for (int batch = 0; batch < BATCHES; batch++) {
		pthread_barrier_wait(walker->begin);
		walker->start_s[batch] = now_s();
		for (int i = 0; i < WALKS; i++)
			unwinder_walk(unwinder, walker->input, &walker->stack);
		walker->end_s[batch] = now_s();
	}
	unwinder_destroy(unwinder);
	return NULL;
}

/* Seconds from the start of the first thread to the end of the last, in the best batch: the one that was interrupted least. */
static double best_batch_s(const struct walker *walkers, unsigned thread_count)
{
	double best = 0;

	for (int batch = 0; batch < BATCHES; batch++) {
		double start = walkers[0].start_s[batch], end = walkers[0].end_s[batch];

		for (unsigned i = 1; i < thread_count; i++) {
			start = walkers[i].start_s[batch] < start ? walkers[i].start_s[batch] : start;
			end = walkers[i].end_s[batch] > end ? walkers[i].end_s[batch] : end;
		}
		best = batch == 0 || end - start < best ? end - start : best;
	}
	return best;
}

/* Frames per second of all threads together. */
static double frames_per_s(struct walker *walkers, unsigned thread_count, const struct unwind_input *input)
{
	pthread_t threads[MAX_THREADS];
	pthread_barrier_t begin;

	pthread_barrier_init(&begin, NULL, thread_count);
	for (unsigned i = 0; i < thread_count; i++) {
		walkers[i].input = input;
		walkers[i].begin = &begin;
		if (pthread_create(&threads[i], NULL, walk_in_batches, &walkers[i]) != 0)
			abort();
	}
	for (unsigned i = 0; i < thread_count; i++)
		pthread_join(threads[i], NULL);
	pthread_barrier_destroy(&begin);
	return (double)walkers[0].stack.count * WALKS * thread_count / best_batch_s(walkers, thread_count);
}

static void walk_here(struct bench *bench)
{
	static struct walker walkers[MAX_THREADS];
	struct unwind_input input;
	ucontext_t context;
	double one, two;

	getcontext(&context);
	own_input_init(&input, &bench->process, &context, STACK_BYTES);
	one = frames_per_s(walkers, 1, &input);
	two = frames_per_s(walkers, MAX_THREADS, &input);
	printf("warm: %zu frames, end: %s, %.1f ns/frame; two threads: %.2f times as fast\n",
	       walkers[0].stack.count, unwind_end_name(walkers[0].stack.end), 1e9 / one, two / one);
	own_input_fini(&input);
}

static struct bench *current;
static int depth;

/* Called through qsort(), which it calls itself: on the stack, it and the C library take turns. */
static int compare(const void *a, const void *b)
{
	int numbers[] = { 2, 1 };

	(void)a;
	(void)b;
	if (depth == 0)
		return 0;
	if (--depth == 0)
		walk_here(current);
	else
		qsort(numbers, 2, sizeof(*numbers), compare);
	return numbers[0] - numbers[1];
}

int main(int argc, char **argv)
{
	struct bench bench;
	int numbers[] = { 2, 1 };

	for (int i = 1; i < argc; i++)
		compile_all(argv[i]);
	own_process_init(&bench.process);
	current = &bench;
	depth = DEPTH;
	qsort(numbers, 2, sizeof(*numbers), compare);
	own_process_fini(&bench.process);
	return 0;
}
