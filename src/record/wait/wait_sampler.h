#ifndef XPROF_RECORD_WAIT_WAIT_SAMPLER_H
#define XPROF_RECORD_WAIT_WAIT_SAMPLER_H

/*
 * Makes samples of the event `offcpu-time` from the records of the BPF programs that time waits: pairs each wait with its waker
 * and with the copy of its user stack, has both stacks unwound, and makes a PERF_RECORD_SAMPLE.
 *
 *	wait_sampler_create(&plan); evidence_create(with wait_sampler_event()); wait_sampler_use(sampler, evidence)
 *	each round: wait_sampler_begin_round(); the rings' state records are noted; wait_sampler_append(sampler, out)
 */

#include "format/off_cpu_wait.h"
#include "format/write/perf_writer.h"
#include "record/bpf/copy_ring.h"
#include "record/stack/evidence.h"
#include "record/wait/kernel_functions.h"

struct wait_sampler;

struct wait_sampler_plan {
	/* attr of a sampler of the recording, for the clock and the sample id; copied */
	const struct perf_event_attr *sampler;
	bool no_kernel_chains, no_user_chains;    /* leave out these parts of stacks */
	struct copy_ring *ring;                   /* has the programs' records; borrowed */
	const struct kernel_functions *functions; /* borrowed */
};

struct wait_sampler *wait_sampler_create(const struct wait_sampler_plan *plan);
void wait_sampler_destroy(struct wait_sampler *sampler);

/* The event for the file. Valid as long as the sampler. */
const struct written_event *wait_sampler_event(const struct wait_sampler *sampler);

/* Sets the unwinding of stacks. `evidence` (borrowed) was created for this event, too. */
void wait_sampler_use(struct wait_sampler *sampler, struct evidence *evidence);

/* Decides which waits the round takes. Call it before it is decided which records of the other rings the round takes. */
void wait_sampler_begin_round(struct wait_sampler *sampler);

/* Appends the samples of the round. */
void wait_sampler_append(struct wait_sampler *sampler, struct strbuf *out);

/* Call it at the end, after the last round: appends the waits whose user stack has not come. */
void wait_sampler_append_rest(struct wait_sampler *sampler, struct strbuf *out);

/*
 * Note waits for which the ring had no room; at the end, append the PERF_RECORD_LOST_SAMPLES and PERF_RECORD_LOST that report
 * them.
 */
void wait_sampler_note_lost(struct wait_sampler *sampler, uint64_t lost);
void wait_sampler_add_lost(struct wait_sampler *sampler, struct strbuf *out);

struct wait_sampler_counts {
	uint64_t samples;
	uint64_t first_ns, last_ns; /* times of the samples; 0: none */
	uint64_t lost;              /* waits for which the ring had no room */
	uint64_t without_stack;     /* waits of threads with user memory that have no user stack */
};
struct wait_sampler_counts wait_sampler_counts(const struct wait_sampler *sampler);

#endif
