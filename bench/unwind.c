/*
 * What the engine costs, without files being read around it: compiling all FDEs
 * of the libraries that are named, and a frame of a stack that was seen before.
 *
 * usage: unwind FILE...
 */

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "support/own_process.h"

enum { COMPILATIONS = 5, DEPTH = 40, MAX_FRAMES = 256, BATCHES = 50, WALKS = 1000, STACK_BYTES = 64 << 10 };

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

/* The seconds that compiling all FDEs of a file takes, from its opening on; negative when it cannot be read. */
static double compile_once(const char *path, struct module_counts *counts)
{
	struct error err;
	struct elf_file *file = elf_file_open(path, &err);
	double start = now_s(), time;
	struct module *module = file ? module_create(0, file, NULL, &err) : NULL;

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
	struct unwinder *unwinder;
};

/* The best of many short runs is the one that nobody interrupted. */
static double best_walk_s(struct unwinder *unwinder, const struct unwind_input *input,
			  struct unwind_stack *stack)
{
	double best = 0;

	for (int batch = 0; batch < BATCHES; batch++) {
		double start = now_s(), time;

		for (int i = 0; i < WALKS; i++)
			unwinder_walk(unwinder, input, stack);
		time = (now_s() - start) / WALKS;
		if (batch == 0 || time < best)
			best = time;
	}
	return best;
}

static void walk_here(struct bench *bench)
{
	struct unwind_frame frames[MAX_FRAMES];
	struct unwind_stack stack = { .frames = frames, .capacity = MAX_FRAMES };
	struct unwind_input input;
	ucontext_t context;
	double time;

	getcontext(&context);
	own_input_init(&input, &bench->process, &context, STACK_BYTES);
	time = best_walk_s(bench->unwinder, &input, &stack);
	printf("warm: %zu frames, end: %s, %.1f ns/frame\n", stack.count, unwind_end_name(stack.end),
	       time * 1e9 / (double)stack.count);
	own_input_fini(&input);
}

static struct bench *current;
static int depth;

/* Two functions and the C library take turns. */
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
	bench.unwinder = unwinder_create();
	current = &bench;
	depth = DEPTH;
	qsort(numbers, 2, sizeof(*numbers), compare);
	unwinder_destroy(bench.unwinder);
	own_process_fini(&bench.process);
	return 0;
}
