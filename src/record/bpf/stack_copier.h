#ifndef XPROF_RECORD_BPF_STACK_COPIER_H
#define XPROF_RECORD_BPF_STACK_COPIER_H

/*
 * The BPF program that copies stacks (stack_copy.bpf.h): loaded, attached to the sampling events, and its ring mapped.
 *
 *	struct stack_copier *copier = stack_copier_open(&plan, &err);
 *	for each event: stack_copier_attach(copier, event_fd, &err);
 *	stack_copies_begin_round(stack_copier_copies(copier)); ...
 */

#include <stdint.h>

#include "base/error.h"
#include "record/bpf/stack_copies.h"

struct stack_copier;

struct stack_copier_plan {
	size_t ring_bytes;  /* for the copies of all CPUs to begin with; a power of two, at least a page */
	uint32_t max_bytes; /* of a stack, at most STACK_COPY_MAX */
	bool may_use_clock; /* samples have the time of CLOCK_MONOTONIC, or may be given it: what Linux before 6.3 needs */
	bool must_use_clock; /* that is used also where the time of samples is known */
};

/* NULL where this machine cannot: err says in a sentence what stands in the way. */
struct stack_copier *stack_copier_open(const struct stack_copier_plan *plan, struct error *err);
void stack_copier_close(struct stack_copier *copier);

/* From now on each sample of the perf event comes with a copy. Events that it passes on to child threads do, too. */
int stack_copier_attach(struct stack_copier *copier, int event_fd, struct error *err);

/* For poll(): readable when the ring fills up, from then on until that is noted. */
int stack_copier_fd(const struct stack_copier *copier);
void stack_copier_note_wake(int fd);

/*
 * Between rounds of its reader: from now on copies have a ring of `ring_bytes`, a power of two, if that is more than they have.
 * Where there is no memory for it, the ring stays as it is. Takes as long as the kernel needs to know that no CPU writes into the old
 * ring any more, some 10 to 30 ms in which it does not lose anything.
 */
void stack_copier_make_room(struct stack_copier *copier, size_t ring_bytes, uint64_t now_ns);

/* Lives as long as the copier. */
struct stack_copies *stack_copier_copies(struct stack_copier *copier);

struct stack_copier_counts {
	uint64_t copied;
	uint64_t no_room; /* samples whose copy found the ring full */
	uint64_t no_end;  /* copies of stacks whose end was not known: of STACK_COPY_MAX_UNSURE bytes */
};
struct stack_copier_counts stack_copier_counts(const struct stack_copier *copier);

/* Are copies paired by CLOCK_MONOTONIC? Then the events must be opened with it. */
bool stack_copier_uses_clock(const struct stack_copier *copier);

/* The program in use: "copy_whole" (Linux 5.19 on) or "copy_classes". */
const char *stack_copier_program(const struct stack_copier *copier);

#endif
