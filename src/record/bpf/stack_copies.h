#ifndef XPROF_RECORD_BPF_STACK_COPIES_H
#define XPROF_RECORD_BPF_STACK_COPIES_H

/*
 * The copies of user stacks in a ring, to be found by thread and time of the sample for which they were taken. The program
 * takes the time from the sample itself. Both rings are read in rounds. A copy is in its ring before its sample is in the
 * other, so a round first decides which samples it reads, then notes all copies that are there by then:
 *
 *	heads of the sample rings are read;  stack_copies_begin_round();  stack_copies_find() for each sample;
 *	stack_copies_end_round()
 *
 * Before Linux 6.3 the program does not know the time of its sample. Then both get the time of CLOCK_MONOTONIC; that of the
 * sample is at most a few microseconds outside the time in which the program ran. If two copies of a thread are equally near,
 * neither is used. A copy with another stack pointer than the sample is not used, either.
 *
 * A ring that turns out to be too small is replaced. Copies in the old ring are still found and released.
 *
 * A copy whose sample does not come, because the sample's ring was full, is dropped after 100 ms, or in the next round if half
 * of the ring is full.
 */

#include <stdbool.h>

#include "record/bpf/copy_ring.h"
#include "record/bpf/stack_copy_record.h"

struct stack_copies;

/* `ring` is borrowed. */
struct stack_copies *stack_copies_create(struct copy_ring *ring);
void stack_copies_destroy(struct stack_copies *copies);

/* `now_ns`: of any clock that only grows; later than in the previous round. */
void stack_copies_begin_round(struct stack_copies *copies, uint64_t now_ns);
void stack_copies_end_round(struct stack_copies *copies);

/* The usual size of the records that wait for their samples now, in bytes; 0: none waits. */
uint64_t stack_copies_look(struct stack_copies *copies, uint64_t now_ns);

/* Call it between rounds, when the program writes into `ring` and has finished all copies in the previous one. */
void stack_copies_change_ring(struct stack_copies *copies, struct copy_ring *ring, uint64_t now_ns);

/* Are there copies in `ring` that are not released yet? */
bool stack_copies_use(const struct stack_copies *copies, const struct copy_ring *ring);

/* A copy: its two parts, and the `size` bytes of each. Valid until the end of the round. */
struct stack_copy {
	struct stack_copy_part stack, outer;
	const uint8_t *stack_bytes, *outer_bytes;
};

/* Identifies the copy of a sample. */
struct stack_copy_key {
	uint32_t tid;
	uint64_t time;
	uint64_t sp; /* the sample's stack pointer; used only if copies are found by CLOCK_MONOTONIC */
};

/* Returns false if the sample has no copy (a kernel thread, or the ring was full), or if it is not clear which one it is. */
bool stack_copies_find(struct stack_copies *copies, const struct stack_copy_key *key,
		       struct stack_copy *copy);

#endif
