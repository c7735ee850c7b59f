#ifndef XPROF_RECORD_BPF_STACK_COPIES_H
#define XPROF_RECORD_BPF_STACK_COPIES_H

/*
 * The copies of user stacks in a ring, found by the samples that they were taken for: by thread and time, which the
 * program takes from the very sample. Both rings are read in rounds. A copy is in its ring before its sample is in the
 * other, so a round first fixes what it takes of the samples' rings, then looks at all copies that are there by then:
 *
 *	heads of the sample rings are read;  stack_copies_begin_round();  stack_copies_find() for each sample;
 *	stack_copies_end_round()
 *
 * Before Linux 6.3 the program does not know the time of its sample. Then both have that of CLOCK_MONOTONIC: the sample's lies
 * a few microseconds at most outside the time in which the program ran. Where two copies of a thread are as near, none is
 * taken, nor is one whose stack pointer is not the sample's.
 *
 * A ring that turns out too small is replaced by another: what is in it is still found, and released.
 *
 * A copy whose sample does not come (its ring was full) is dropped after 100 ms, or in the next round while half of the
 * ring is full.
 */

#include <stdbool.h>

#include "record/bpf/copy_ring.h"
#include "record/bpf/stack_copy_record.h"

struct stack_copies;

/* `ring` is borrowed. */
struct stack_copies *stack_copies_create(struct copy_ring *ring);
void stack_copies_destroy(struct stack_copies *copies);

/* `now_ns`: of any clock that only grows, later than that of the round before. */
void stack_copies_begin_round(struct stack_copies *copies, uint64_t now_ns);
void stack_copies_end_round(struct stack_copies *copies);

/* The usual size of a copy's record, of those that wait for their samples by now; 0: none does. */
uint64_t stack_copies_look(struct stack_copies *copies, uint64_t now_ns);

/* Between rounds, when the program writes into `ring` from now on and has finished all copies in the ring before. */
void stack_copies_change_ring(struct stack_copies *copies, struct copy_ring *ring, uint64_t now_ns);

/* Are there copies in that ring which are not released? */
bool stack_copies_use(const struct stack_copies *copies, const struct copy_ring *ring);

/* The bytes of one part of a copy: `part.size` of them. Valid until the end of the round. */
struct stack_copy {
	struct stack_copy_part stack, outer;
	const uint8_t *stack_bytes, *outer_bytes;
};

/* The key of a copy. */
struct stack_copy_key {
	uint32_t tid;
	uint64_t time;
	uint64_t sp; /* the sample's; looked at only where copies are found by the clock */
};

/* False where there is no copy of the sample: of a kernel thread, or the ring was full; or it is not clear which it is. */
bool stack_copies_find(struct stack_copies *copies, const struct stack_copy_key *key,
		       struct stack_copy *copy);

#endif
