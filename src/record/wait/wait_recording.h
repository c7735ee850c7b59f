#ifndef XPROF_RECORD_WAIT_WAIT_RECORDING_H
#define XPROF_RECORD_WAIT_WAIT_RECORDING_H

/*
 * Time off the CPU in a recording: everything needed for it, from loading the programs to the event in the file.
 *
 *	waits = wait_recording_open(&plan, &err);
 *	wait_recording_begin(waits, now_ns, &err); ... wait_recording_end(waits, now_ns)
 */

#include "record/bpf/off_cpu_tracer.h"
#include "record/process/target.h"
#include "record/wait/wait_cgroups.h"
#include "record/wait/wait_sampler.h"

struct wait_recording;

struct wait_recording_plan {
	uint64_t period_ns;
	const struct target *target;           /* borrowed during wait_recording_open() */
	const struct perf_event_attr *sampler; /* as in struct wait_sampler_plan */
	const struct wait_cgroups *cgroups;    /* borrowed during wait_recording_open(); see wait_cgroups.h */
	bool only_its_cpus;                    /* only waits that end on the target's CPUs */
	bool no_inherit;
	bool from_exec; /* see struct off_cpu_tracer_plan; do not call wait_recording_begin() then */
	bool no_kernel_chains, no_user_chains;
};

/* Returns NULL if waits cannot be timed; err has the reason in a sentence. */
struct wait_recording *wait_recording_open(const struct wait_recording_plan *plan, struct error *err);
void wait_recording_close(struct wait_recording *waits);

/* Both live as long as the recording. */
struct wait_sampler *wait_recording_sampler(struct wait_recording *waits);
int wait_recording_fd(const struct wait_recording *waits); /* see off_cpu_tracer_fd() */
bool wait_recording_copies_at_exit(
	const struct wait_recording *waits); /* see off_cpu_tracer_copies_at_exit() */

/* Waits count between these two times (CLOCK_MONOTONIC). wait_recording_begin() returns 0, or -1 with err. */
int wait_recording_begin(struct wait_recording *waits, uint64_t now_ns, struct error *err);
void wait_recording_end(struct wait_recording *waits, uint64_t now_ns);

#endif
