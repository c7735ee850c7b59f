#ifndef XPROF_REPORT_LOAD_SAMPLE_BATCHES_H
#define XPROF_REPORT_LOAD_SAMPLE_BATCHES_H

/*
 * Adds samples to a profile in batches, in their order. With many distinct stacks nearly all of the time
 * would be spent waiting for memory, four times per sample. So a group of samples goes through each step
 * together, while the memory for the next step is prefetched.
 *
 * Samples with stack dumps are collected in larger batches, which other threads unwind if there are CPUs for
 * them. While one batch is unwound, the next one is read and the one before is added to the profile.
 */

#include <pthread.h>

#include "format/perf_file.h"
#include "profile/sample_sums.h"
#include "report/load/stack_resolver.h"

struct sample_batches;

struct pending_sample {
	struct sample sample;
	size_t file_event;
	uint64_t time_ns;
	struct stack_question question;
	struct stack_begun begun; /* this and the following are set for counted samples */
	bool is_counted;          /* false: only passed to stack_resolver_learn() */
	uint64_t weight;
	struct profile_sample sum; /* without stack and end, which are found here */
	uint32_t stack, number;    /* set when the sample is in the profile: its number there */
};

/* Called when a counted sample is in the profile. */
typedef void sample_batches_added(void *context, const struct pending_sample *pending);

/* Returns the stack that a counted sample gets instead of `stack`, its own. */
typedef uint32_t sample_batches_stacked(void *context, const struct pending_sample *pending, uint32_t stack);

/* Everything is borrowed. */
struct sample_batches_options {
	struct perf_file *file;
	struct process_table *processes;
	struct raw_profile *profile;
	struct stack_resolver *resolver;
	struct dump_unwinder *unwinder;
	/* the unwinders' lock: see struct dump_unwinder_source */
	pthread_mutex_t *lock;
	bool threads;                    /* other threads may unwind, if there are CPUs for them */
	sample_batches_stacked *stacked; /* NULL: samples keep their stacks */
	bool stacks_apart;               /* the profile's samples get none */
	struct sample_sums *sums;        /* receives the samples by stack; may be NULL */
	sample_batches_added *added;
	void *context;
};

struct sample_batches *sample_batches_create(const struct sample_batches_options *options);
/* Drops unfinished samples. */
void sample_batches_destroy(struct sample_batches *batches);

/*
 * Adds a sample. The caller sets is_counted, weight and sum at once; the rest is filled in. Valid until the
 * next call.
 */
struct pending_sample *sample_batches_add(struct sample_batches *batches, const struct sample *sample,
					  size_t file_event, uint64_t time_ns);

/*
 * Call it before the bytes of earlier samples or the process table change: finishes the samples that depend
 * on them. Samples of a stable file (perf_file_is_stable()) can go on.
 */
void sample_batches_pause(struct sample_batches *batches);

/* Finishes all samples: afterwards they are in the profile. */
void sample_batches_finish(struct sample_batches *batches);

#endif
