#ifndef XPROF_RECORD_BPF_OFF_CPU_TRACER_H
#define XPROF_RECORD_BPF_OFF_CPU_TRACER_H

/*
 * The BPF programs that time waits (off_cpu.bpf.c): loaded, attached, and their ring mapped.
 *
 *	struct off_cpu_tracer *tracer = off_cpu_tracer_open(&plan, &err);
 *	off_cpu_tracer_begin(tracer, now_ns) ... read the records of off_cpu_tracer_ring() ... off_cpu_tracer_end(tracer, now_ns)
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
	bool any_thread;      /* else the threads added, and what they begin */
	bool no_inherit;      /* not what they begin */
	bool from_exec;       /* time counts from the moment on at which one of them executes a program */
	const uint32_t *tids; /* borrowed while it is opened */
	size_t tid_count;
	const int *cpus; /* waits that end on these; NULL: on any */
	size_t cpu_count;
	const uint64_t *cgroups; /* ids: waits that begin in these or below them; at most OFF_CPU_CGROUPS */
	size_t cgroup_count;     /* 0: in any */
	size_t ring_bytes;       /* a power of two, at least a page */
};

/* Nothing counts yet. NULL where this machine cannot: err says in a sentence what stands in the way. */
struct off_cpu_tracer *off_cpu_tracer_open(const struct off_cpu_tracer_plan *plan, struct error *err);
void off_cpu_tracer_close(struct off_cpu_tracer *tracer);

/* Time off the CPU counts from that moment on, and up to that one: CLOCK_MONOTONIC. Not called with plan.from_exec. */
int off_cpu_tracer_begin(struct off_cpu_tracer *tracer, uint64_t now_ns, struct error *err);

/* Also sends the waits that go on, and detaches the programs. */
void off_cpu_tracer_end(struct off_cpu_tracer *tracer, uint64_t now_ns);

/* For poll(): readable when the ring fills up. Use stack_copier_note_wake() to note that. */
int off_cpu_tracer_fd(const struct off_cpu_tracer *tracer);

/* The ring of the records (off_cpu_record.h); the caller reads and releases them. Lives as long as the tracer. */
struct copy_ring *off_cpu_tracer_ring(struct off_cpu_tracer *tracer);

struct off_cpu_tracer_counts {
	uint64_t lost_waits; /* the ring was full */
	uint64_t lost_stacks; /* likewise; or too many were being fetched; or the kernel did not take the task work */
};
struct off_cpu_tracer_counts off_cpu_tracer_counts(const struct off_cpu_tracer *tracer);

#endif
