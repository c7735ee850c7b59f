/*
 * Tests stacks whose dumps are cut. Unwinds each sample of a recording whose whole dump leads to the root of its thread again
 * with less of the dump, 256 bytes to 64 KiB, and compares the stacks: the cut one must be the beginning of the whole one, or
 * marked as joined or guessed. To the joiner each size is a recording of its own, which learns from the stacks that are complete
 * at that size.
 *
 * usage: sweep [--most-wrong-joins=ONE_IN] FILE...
 *
 * Exit status: 1 if a frame is wrong and not marked, or more than one stack in ONE_IN is joined wrongly; 2 if a file cannot be
 * read.
 */

#include <inttypes.h>
#include <linux/perf_event.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "format/perf_file.h"
#include "report/load/dump_unwinder.h"
#include "report/load/file_facts.h"
#include "report/load/recorded_modules.h"

enum {
	FIRST_SIZE_LOG2 = 8,
	LAST_SIZE_LOG2 = 16,
	SIZES = LAST_SIZE_LOG2 - FIRST_SIZE_LOG2 + 1,
	MAX_FRAMES = 4096
};

enum mode { MODE_PLAIN, MODE_JOIN, MODE_GUESS, MODES };
static const char *const mode_names[MODES] = { "cut", "joined", "guessed" };

struct counts {
	uint64_t stacks, whole, joined, wrongly_joined;
	uint64_t frames, wrong, joined_frames, wrong_joined, guessed_frames, wrong_guessed;
};

struct sweep {
	struct perf_file *file;
	struct process_table *processes;
	struct dso_modules *modules;
	struct debug_file_search search;
	struct dump_unwinder *whole;
	struct dump_unwinder *cut[MODES][SIZES];
	uint64_t truth[MAX_FRAMES];
	size_t truth_count;
	uint64_t samples, rooted;
	struct counts (*counts)[SIZES];
};

static const struct unwind_options mode_options[MODES] = {
	[MODE_JOIN] = { .join_stacks = true },
	[MODE_GUESS] = { .guess = true },
};

static struct dump_unwinder *create_unwinder(struct sweep *sweep, const struct unwind_options *options)
{
	return dump_unwinder_create(&(struct dump_unwinder_source){ .processes = sweep->processes,
								    .modules = sweep->modules,
								    .features =
									    perf_file_features(sweep->file),
								    .options = *options },
				    NULL);
}

/* --- one sample -------------------------------------------------------------- */

static const struct unwind_stack *unwind(struct sweep *sweep, struct dump_unwinder *unwinder,
					 const struct sample *sample, size_t most_bytes)
{
	struct sample cut = *sample;
	struct process_state state = process_table_state(sweep->processes, sample->pid, sample->time_ns);

	if (cut.user_stack_size > most_bytes)
		cut.user_stack_size = most_bytes;
	return dump_unwinder_choose(unwinder, &cut, &state, sample->time_ns, UNWIND_DWARF, 0, NULL);
}

static void compare(const struct sweep *sweep, const struct unwind_stack *stack, struct counts *counts)
{
	bool guessed = false, wrongly_joined = false, lost = false;

	counts->stacks++;
	counts->whole += stack->end == UNWIND_END_ROOT && !stack->frames[stack->count - 1].joined;
	counts->joined += stack->frames[stack->count - 1].joined;
	for (size_t i = 0; i < stack->count; i++) {
		const struct unwind_frame *frame = &stack->frames[i];
		bool wrong = i >= sweep->truth_count || frame->address != sweep->truth[i];

		lost |= wrong;
		guessed |= frame->how == UNWIND_HOW_GUESSED;
		if (guessed) {
			counts->guessed_frames++;
			counts->wrong_guessed += wrong;
		} else if (frame->joined) {
			counts->joined_frames++;
			counts->wrong_joined += wrong;
			wrongly_joined |= wrong;
		} else {
			counts->frames++;
			counts->wrong += wrong;
		}
	}
	/* A false root. */
	if (!lost && stack->end == UNWIND_END_ROOT && stack->count < sweep->truth_count && !guessed) {
		if (stack->frames[stack->count - 1].joined)
			wrongly_joined = true;
		else
			counts->wrong++;
	}
	counts->wrongly_joined += wrongly_joined;
}

static void sweep_sample(struct sweep *sweep, const struct sample *sample)
{
	const struct unwind_stack *stack = unwind(sweep, sweep->whole, sample, SIZE_MAX);

	sweep->samples++;
	if (!stack || stack->end != UNWIND_END_ROOT || stack->count > MAX_FRAMES)
		return;
	sweep->rooted++;
	sweep->truth_count = stack->count;
	for (size_t i = 0; i < stack->count; i++)
		sweep->truth[i] = stack->frames[i].address;
	for (size_t mode = 0; mode < MODES; mode++)
		for (size_t i = 0; i < SIZES; i++) {
			stack = unwind(sweep, sweep->cut[mode][i], sample,
				       (size_t)1 << (FIRST_SIZE_LOG2 + i));
			if (stack)
				compare(sweep, stack, &sweep->counts[mode][i]);
		}
}

/* --- one file ---------------------------------------------------------------- */

typedef void take_event(struct sweep *sweep, const struct event *event, const struct event_desc *desc);

static void take_state(struct sweep *sweep, const struct event *event, const struct event_desc *desc)
{
	struct sample_id id = { 0 };

	if (event->type < PERF_RECORD_MAX && event->type != PERF_RECORD_SAMPLE &&
	    event_sample_id(event, &desc->attr, &id, NULL) == 0)
		process_table_apply(sweep->processes, event, id.time_ns, NULL);
}

static void take_sample(struct sweep *sweep, const struct event *event, const struct event_desc *desc)
{
	struct sample sample;

	if (event->type == PERF_RECORD_SAMPLE && sample_decode(&sample, event, &desc->attr, NULL) == 0 &&
	    sample.user_stack_size)
		sweep_sample(sweep, &sample);
}

static int walk_file(struct sweep *sweep, const char *path, take_event *take, struct error *err)
{
	struct event event;
	int status;

	sweep->file = perf_file_open(path, err);
	if (!sweep->file)
		return -1;
	while ((status = perf_file_next(sweep->file, &event, err)) == 1) {
		size_t number = perf_file_event_of(sweep->file, &event);
		const struct event_desc *desc = perf_file_event(sweep->file, number == SIZE_MAX ? 0 : number);

		if (desc)
			take(sweep, &event, desc);
	}
	return status;
}

static void create_unwinders(struct sweep *sweep)
{
	sweep->whole = create_unwinder(sweep, &mode_options[MODE_PLAIN]);
	for (size_t mode = 0; mode < MODES; mode++)
		for (size_t i = 0; i < SIZES; i++)
			sweep->cut[mode][i] = create_unwinder(sweep, &mode_options[mode]);
}

static void destroy_unwinders(struct sweep *sweep)
{
	dump_unwinder_destroy(sweep->whole);
	for (size_t mode = 0; mode < MODES; mode++)
		for (size_t i = 0; i < SIZES; i++)
			dump_unwinder_destroy(sweep->cut[mode][i]);
}

/* Reads the file twice: first the mappings and their times, then the samples. */
static int sweep_file(const char *path, struct counts (*counts)[SIZES])
{
	struct sweep *sweep = calloc(1, sizeof(*sweep));
	struct error err;
	int status;

	if (!sweep)
		return -1;
	sweep->counts = counts;
	sweep->processes = process_table_create();
	sweep->modules = recorded_modules_create(&sweep->search);
	status = walk_file(sweep, path, take_state, &err);
	if (status == 0) {
		file_facts_learn_build_ids(sweep->file, sweep->processes);
		perf_file_close(sweep->file);
		sweep->file = perf_file_open(path, &err); /* the unwinders need its features */
		status = sweep->file ? 0 : -1;
	}
	if (status == 0) {
		struct perf_file *features = sweep->file;

		create_unwinders(sweep);
		status = walk_file(sweep, path, take_sample, &err);
		destroy_unwinders(sweep);
		perf_file_close(features);
	}
	if (status < 0)
		fprintf(stderr, "sweep: %s: %s\n", path, err.message);
	printf("%s: %" PRIu64 " stacks, %" PRIu64 " to their root\n", path, sweep->samples, sweep->rooted);
	perf_file_close(sweep->file);
	dso_modules_destroy(sweep->modules);
	process_table_destroy(sweep->processes);
	free(sweep);
	return status;
}

/* --- the table --------------------------------------------------------------- */

static void print_counts(struct counts (*counts)[SIZES])
{
	printf("%-8s %6s %8s %8s %8s %6s | %10s %6s %10s %6s %9s %9s\n", "mode", "bytes", "stacks", "whole",
	       "joined", "wrong", "frames", "wrong", "joined", "wrong", "guessed", "wrong");
	for (size_t mode = 0; mode < MODES; mode++)
		for (size_t i = 0; i < SIZES; i++) {
			const struct counts *c = &counts[mode][i];

			printf("%-8s %6u %8" PRIu64 " %8" PRIu64 " %8" PRIu64 " %6" PRIu64 " | %10" PRIu64
			       " %6" PRIu64 " %10" PRIu64 " %6" PRIu64 " %9" PRIu64 " %9" PRIu64 "\n",
			       mode_names[mode], 1U << (FIRST_SIZE_LOG2 + i), c->stacks, c->whole, c->joined,
			       c->wrongly_joined, c->frames, c->wrong, c->joined_frames, c->wrong_joined,
			       c->guessed_frames, c->wrong_guessed);
		}
}

static struct counts sum_of(struct counts (*counts)[SIZES])
{
	struct counts sum = { 0 };

	for (size_t mode = 0; mode < MODES; mode++)
		for (size_t i = 0; i < SIZES; i++) {
			sum.wrong += counts[mode][i].wrong;
			sum.stacks += counts[mode][i].stacks;
			sum.joined += counts[mode][i].joined;
			sum.wrongly_joined += counts[mode][i].wrongly_joined;
		}
	return sum;
}

int main(int argc, char **argv)
{
	static const char limit_option[] = "--most-wrong-joins=";
	static struct counts counts[MODES][SIZES];
	uint64_t one_in = 1;
	struct counts sum;

	for (int i = 1; i < argc; i++) {
		if (strncmp(argv[i], limit_option, strlen(limit_option)) == 0)
			one_in = strtoull(argv[i] + strlen(limit_option), NULL, 10);
		else if (sweep_file(argv[i], counts) < 0)
			return 2;
	}
	print_counts(counts);
	sum = sum_of(counts);
	printf("%" PRIu64 " cut stacks, %" PRIu64 " frames wrong and not marked; %" PRIu64 " joined, %" PRIu64
	       " of them wrongly\n",
	       sum.stacks, sum.wrong, sum.joined, sum.wrongly_joined);
	return sum.stacks == 0 || sum.wrong > 0 || sum.wrongly_joined * one_in > sum.joined;
}
