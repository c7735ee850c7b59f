#ifndef XPROF_RECORD_WAIT_WAIT_RECORDING_H
#define XPROF_RECORD_WAIT_WAIT_RECORDING_H

/*
 * Time off the CPU in a recording: everything that it takes, from loading the programs to the event of the file.
 *
 *	waits = wait_recording_open(&plan, &err); ... wait_recording_begin(waits, now_ns, &err); ... wait_recording_end(waits, now_ns)
 */

#include "record/bpf/off_cpu_tracer.h"
#include "record/process/target.h"
#include "record/wait/wait_cgroups.h"
#include "record/wait/wait_sampler.h"

struct wait_recording;

struct wait_recording_plan {
	uint64_t period_ns;
	const struct target *target;           /* borrowed while it is opened */
	const struct perf_event_attr *sampler; /* as wait_sampler_plan has it */
	const struct wait_cgroups *cgroups;    /* likewise; see wait_cgroups.h */
	bool only_its_cpus;                    /* waits that end on the CPUs of the target alone */
	bool no_inherit;
	bool from_exec; /* see off_cpu_tracer_plan: wait_recording_begin() is not called */
	bool no_kernel_chains, no_user_chains;
};

/* NULL where waits cannot be timed: err says in a sentence what stands in the way. */
struct wait_recording *wait_recording_open(const struct wait_recording_plan *plan, struct error *err);
void wait_recording_close(struct wait_recording *waits);

/* The two live as long as the recording. */
struct wait_sampler *wait_recording_sampler(struct wait_recording *waits);
int wait_recording_fd(const struct wait_recording *waits); /* see off_cpu_tracer_fd() */

/* Waits count from that moment on, and up to that one: CLOCK_MONOTONIC. */
int wait_recording_begin(struct wait_recording *waits, uint64_t now_ns, struct error *err);
void wait_recording_end(struct wait_recording *waits, uint64_t now_ns);

#endif
