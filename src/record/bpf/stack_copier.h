#ifndef XPROF_RECORD_BPF_STACK_COPIER_H
#define XPROF_RECORD_BPF_STACK_COPIER_H

/*
 * Loads the BPF program that copies stacks (stack_copy.bpf.h), attaches it to the sampling events, and maps its ring.
 *
 *	struct stack_copier *copier = stack_copier_open(&plan, &err);
 *	for each event: stack_copier_attach(copier, event_fd, &err);
 *	stack_copies_begin_round(stack_copier_copies(copier), now_ns); ...
 */

#include <stdint.h>

#include "base/error.h"
#include "record/bpf/stack_copies.h"

struct stack_copier;

struct stack_copier_plan {
	/* initial size of the ring for the copies of all CPUs; a power of two, at least a page */
	size_t ring_bytes;
	uint32_t max_bytes; /* limit of the copy of a stack, at most STACK_COPY_MAX */
	/* sample times are, or can be, those of CLOCK_MONOTONIC: required on Linux before 6.3 */
	bool may_use_clock;
	bool must_use_clock; /* use CLOCK_MONOTONIC even if the program can read the time of its sample */
};

/* Returns NULL if this machine cannot copy stacks; err has the reason in a sentence. */
struct stack_copier *stack_copier_open(const struct stack_copier_plan *plan, struct error *err);
void stack_copier_close(struct stack_copier *copier);

/*
 * From now on each sample of the perf event has a copy, also in child threads that inherit the event. Returns 0, or -1 with
 * err.
 */
int stack_copier_attach(struct stack_copier *copier, int event_fd, struct error *err);

/* For poll(): readable when the ring fills up, until stack_copier_note_wake() is called with it. */
int stack_copier_fd(const struct stack_copier *copier);
void stack_copier_note_wake(int fd);

/*
 * Call it between rounds: replaces the ring by one of `ring_bytes` (a power of two) if that is larger. If there is no memory
 * for it, the ring stays. Waits until the kernel knows that no CPU still writes into the old ring, some 10 to 30 ms, in which
 * nothing is lost.
 */
void stack_copier_make_room(struct stack_copier *copier, size_t ring_bytes, uint64_t now_ns);

/* Lives as long as the copier. */
struct stack_copies *stack_copier_copies(struct stack_copier *copier);

struct stack_copier_counts {
	uint64_t copied;
	uint64_t no_room; /* samples without a copy, because the ring was full */
	uint64_t no_end;  /* copies of stacks of unknown end, which have STACK_COPY_MAX_UNSURE bytes */
};
struct stack_copier_counts stack_copier_counts(const struct stack_copier *copier);

/* Are copies paired with samples by CLOCK_MONOTONIC? If so, the events must be opened with that clock. */
bool stack_copier_uses_clock(const struct stack_copier *copier);

/* The name of the program in use: "copy_whole" (Linux 5.19 and later) or "copy_classes". */
const char *stack_copier_program(const struct stack_copier *copier);

#endif
