#ifndef XPROF_REPORT_LOAD_SAMPLE_INTAKE_H
#define XPROF_REPORT_LOAD_SAMPLE_INTAKE_H

/*
 * Adds samples of the stream to the profile: resolves the stack, and adds the sample with its thread, CPU,
 * cgroup and keys. The resolver may learn from the stacks of samples that are not kept.
 *
 * A sample is in the profile some time later, see sample_batches.h. Until sample_intake_pause() the bytes of
 * samples that are not lent (struct stream_sample) have to stay.
 */

#include <pthread.h>

#include "format/perf_file.h"
#include "profile/sample_log.h"
#include "profile/sample_sums.h"
#include "profile/timeline.h"
#include "report/load/sample_key_source.h"
#include "report/load/sample_stream.h"
#include "report/load/stack_resolver.h"
#include "report/waits/wait_times.h"

struct sample_intake;

/* Everything is borrowed. */
struct sample_intake_options {
	struct perf_file *file;
	struct process_table *processes;
	struct raw_profile *profile; /* has the file's events under the same numbers */
	struct stack_resolver *resolver;
	struct dump_unwinder *unwinder; /* the one of the resolver */
	pthread_mutex_t *lock;          /* see struct dump_unwinder_source */
	bool threads;                   /* other threads may unwind: see sample_batches.h */
	/* with join_stacks the resolver learns from samples that are not kept */
	const struct unwind_options *stacks;
	struct sample_key_source *keys; /* makes the keys of samples; NULL: they have none */
	bool by_latency;                /* see struct load_options */
	struct timeline *timeline;      /* receives the times of the profile's samples; may be NULL */
	struct sample_log *log;         /* receives each sample; may be NULL */
	struct sample_sums *sums;       /* receives the samples by stack; may be NULL */
	bool stacks_apart;              /* see struct load_options */
	struct wait_times *wait_times;  /* receives how long waits were; may be NULL */
};

struct sample_intake_counts {
	uint64_t samples;           /* kept samples that are in the profile */
	uint64_t dumps_not_unwound; /* of an unsupported machine, or of a 32-bit program on aarch64 */
	uint64_t first_time_ns, last_time_ns; /* of kept samples; UINT64_MAX and 0 if none has a time */
	/*
	 * near_gaps counts consecutive samples of one thread and event that are at most four periods apart, so that the thread
	 * most likely ran in between; prompt_gaps those of them that are at most 1.25 periods apart. If timers are coarse, or
	 * a hypervisor takes the CPU away, few gaps are prompt, and periods add up to less time than has passed.
	 */
	uint64_t near_gaps, prompt_gaps;
};

struct sample_intake *sample_intake_create(const struct sample_intake_options *options);
/* Drops unfinished samples. */
void sample_intake_destroy(struct sample_intake *intake);

/* Resolves its stack and adds it to the profile. */
void sample_intake_add(struct sample_intake *intake, const struct stream_sample *sample);

/* See sample_batches_pause() and sample_batches_finish(). */
void sample_intake_pause(struct sample_intake *intake);
void sample_intake_finish(struct sample_intake *intake);

/* Notes the name of a cgroup from a PERF_RECORD_CGROUP. Returns 0, or -1 if the record is damaged. */
int sample_intake_learn_cgroup(struct sample_intake *intake, const struct event *event);

/* Counts of the samples that are finished. */
const struct sample_intake_counts *sample_intake_counts(const struct sample_intake *intake);

#endif
