#ifndef XPROF_REPORT_LOAD_SAMPLE_BATCHES_H
#define XPROF_REPORT_LOAD_SAMPLE_BATCHES_H

/*
 * Samples on their way into a profile, in their order. Where there are many distinct stacks nearly all of the time would
 * be spent on waiting for memory, four times a sample; so a group of them goes each step of the way together, and what
 * the next step needs is fetched meanwhile.
 *
 * Samples with stack dumps gather in larger batches: while one is unwound by other threads, if there are any to spare, the
 * next one is read, and while that is unwound the stacks of the first are put into the profile.
 */

#include <pthread.h>

#include "format/perf_file.h"
#include "report/load/stack_resolver.h"

struct sample_batches;

struct pending_sample {
	struct sample sample;
	size_t file_event;
	uint64_t time_ns;
	struct stack_question question;
	struct stack_begun begun; /* of one that is counted, as what follows */
	bool is_counted;          /* or only learned from: see stack_resolver_learn() */
	uint64_t weight;
	struct profile_sample sum; /* but for its stack and how that ends, which are found out */
};

/* A counted sample is sample `number` of the profile now. */
typedef void sample_batches_added(void *context, const struct pending_sample *pending, uint32_t number);

/* The stack that a counted sample is to have instead of its own. */
typedef uint32_t sample_batches_stacked(void *context, const struct pending_sample *pending, uint32_t stack);

/* Everything is borrowed. */
struct sample_batches_options {
	struct perf_file *file;
	struct process_table *processes;
	struct raw_profile *profile;
	struct stack_resolver *resolver;
	struct dump_unwinder *unwinder;
	pthread_mutex_t *
		lock; /* held by whoever changes the processes, and the unwinders' own: see dump_unwinder_create() */
	bool threads;                    /* others may unwind, if there are CPUs for them */
	sample_batches_stacked *stacked; /* NULL: its own */
	sample_batches_added *added;
	void *context;
};

struct sample_batches *sample_batches_create(const struct sample_batches_options *options);
/* Drops unfinished samples. */
void sample_batches_destroy(struct sample_batches *batches);

/* The caller says at once what is to become of it; the rest is filled in. Valid until the next call. */
struct pending_sample *sample_batches_add(struct sample_batches *batches, const struct sample *sample,
					  size_t file_event, uint64_t time_ns);

/*
 * Samples' bytes may change from now on unless the file is stable (perf_file_is_stable()), and what the process table
 * says of later times.
 */
void sample_batches_pause(struct sample_batches *batches);

/* All that were added are in the profile. */
void sample_batches_finish(struct sample_batches *batches);

#endif
