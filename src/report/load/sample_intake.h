#ifndef XPROF_REPORT_LOAD_SAMPLE_INTAKE_H
#define XPROF_REPORT_LOAD_SAMPLE_INTAKE_H

/*
 * A sample of the stream into the profile: its stack is resolved, and it is added with that, its thread, CPU, cgroup and
 * keys. Of samples that are left out the resolver may learn.
 *
 * The profile has a sample some time later: sample_batches.h says why. Until sample_intake_pause() the bytes of samples
 * that are not lent (struct stream_sample) have to stay.
 */

#include <pthread.h>

#include "format/perf_file.h"
#include "profile/sample_log.h"
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
	struct raw_profile *profile; /* with the file's events, under the same numbers */
	struct stack_resolver *resolver;
	struct dump_unwinder *unwinder;      /* the resolver's */
	pthread_mutex_t *lock;               /* see dump_unwinder_create() */
	bool threads;                        /* others may unwind: see sample_batches.h */
	const struct unwind_options *stacks; /* of those that are not kept is learned if stacks are joined */
	struct sample_key_source *keys;      /* says what sets of keys samples have; NULL: none */
	bool by_latency; /* a sample weighs what its access took, not its period: see load_options */
	struct timeline *timeline;     /* receives the times of the profile's samples; may be NULL */
	struct sample_log *log;        /* receives each sample; may be NULL */
	struct wait_times *wait_times; /* receives how long waits were; may be NULL */
};

struct sample_intake_counts {
	uint64_t samples;           /* that count and are in the profile */
	uint64_t dumps_not_unwound; /* of a machine that is not supported, or of a 32-bit program of aarch64 */
	uint64_t first_time_ns, last_time_ns; /* of those that count; UINT64_MAX, 0 when none has a time */
	/*
	 * Times between two samples of one thread and event in a row that are at most four times what the event's period asks
	 * for, in which the thread most likely ran on, and those of them that are about that (at most a quarter more). Where
	 * timers are coarse, or a hypervisor takes the CPU away, few are, and periods say less than has passed.
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

/* PERF_RECORD_CGROUP: what a cgroup is called. -1 when the record is damaged. */
int sample_intake_learn_cgroup(struct sample_intake *intake, const struct event *event);

/* Of what has been finished. */
const struct sample_intake_counts *sample_intake_counts(const struct sample_intake *intake);

#endif
