#ifndef XPROF_RECORD_BPF_OFF_CPU_TRACER_H
#define XPROF_RECORD_BPF_OFF_CPU_TRACER_H

/*
 * Loads and attaches the BPF programs that time waits (off_cpu.bpf.c), and maps their ring.
 *
 *	struct off_cpu_tracer *tracer = off_cpu_tracer_open(&plan, &err);
 *	off_cpu_tracer_begin(tracer, now_ns, &err);
 *	... read the records of off_cpu_tracer_ring() ...
 *	off_cpu_tracer_end(tracer, now_ns);
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "record/bpf/copy_ring.h"
#include "record/bpf/off_cpu_record.h"

struct off_cpu_tracer;

struct off_cpu_tracer_plan {
	uint64_t period_ns;
	bool any_thread;      /* record all threads; otherwise `tids`, and what they start */
	bool no_inherit;      /* do not record what they start */
	bool from_exec;       /* waits count from the first exec of a recorded thread on */
	const uint32_t *tids; /* borrowed during off_cpu_tracer_open() */
	size_t tid_count;
	const int *cpus; /* record only waits that end on these CPUs; NULL: on any */
	size_t cpu_count;
	/* record only waits that begin in these cgroups (ids) or below them; at most OFF_CPU_CGROUPS */
	const uint64_t *cgroups;
	size_t cgroup_count; /* 0: in any */
	size_t ring_bytes;   /* a power of two, at least a page */
};

/* Waits do not count yet. Returns NULL if this machine cannot time waits; err has the reason in a sentence. */
struct off_cpu_tracer *off_cpu_tracer_open(const struct off_cpu_tracer_plan *plan, struct error *err);
void off_cpu_tracer_close(struct off_cpu_tracer *tracer);

/* Waits count from `now_ns` (CLOCK_MONOTONIC) on. Not called with plan.from_exec. Returns 0, or -1 with err. */
int off_cpu_tracer_begin(struct off_cpu_tracer *tracer, uint64_t now_ns, struct error *err);

/* Waits count up to `now_ns`. Sends unfinished waits and detaches the programs. */
void off_cpu_tracer_end(struct off_cpu_tracer *tracer, uint64_t now_ns);

/* For poll(): readable when the ring fills up, until stack_copier_note_wake() is called. */
int off_cpu_tracer_fd(const struct off_cpu_tracer *tracer);

/*
 * Whether the kernel has no task work for BPF programs (before Linux 6.18). Then user stacks are copied at the end of system
 * calls and, for waits outside of system calls, whenever a thread leaves the CPU. This costs more: some time in every system
 * call of the machine.
 */
bool off_cpu_tracer_copies_at_exit(const struct off_cpu_tracer *tracer);

/* The ring of the records (off_cpu_record.h); the caller reads and releases them. Lives as long as the tracer. */
struct copy_ring *off_cpu_tracer_ring(struct off_cpu_tracer *tracer);

struct off_cpu_tracer_counts {
	uint64_t lost_waits; /* waits for which the ring had no room */
	/* stacks: the ring was full, too many stacks were pending, or the kernel refused the task work */
	uint64_t lost_stacks;
};
struct off_cpu_tracer_counts off_cpu_tracer_counts(const struct off_cpu_tracer *tracer);

#endif
