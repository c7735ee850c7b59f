#ifndef XPROF_RECORD_STACK_READS_H
#define XPROF_RECORD_STACK_READS_H

/*
 * Reads the part of stacks above their dumps from the living process, if the kernel dumps stacks. A sample is
 * drained from its ring some time after it was taken, and its thread has run on since. So each such stack is
 * read twice, once before and once after the sample; words that are equal in both were most likely equal in
 * between. The unwinder's caller knows which words must be.
 *
 *	stack_reads_begin_round()      reads the threads whose samples lately needed it;
 *	                               what it read is from before the samples of the round after this one
 *	the heads of the rings are read: the round has the samples in front of them
 *	stack_reads_bracket()          for those that need it: reads the thread now, which is after them
 *	stack_reads_need()             where that completed a stack
 *
 * Threads are remembered as long as they need it: a quarter of a second behind the last sample that did.
 */

#include <stdbool.h>

#include "unwind/arch/stack_memory.h"

struct stack_reads;

struct stack_reads *stack_reads_create(void);
void stack_reads_destroy(struct stack_reads *reads);

void stack_reads_begin_round(struct stack_reads *reads);

/* Are threads read? Then rounds had better be short: a thread that runs on rebuilds its stack. */
bool stack_reads_are_going_on(const struct stack_reads *reads);

/* A part of a thread's memory at two moments. Valid until the next call. */
struct stack_bracket {
	struct stack_memory before, after; /* from `from` on; of size 0: not read then */
	const uint8_t *ages;               /* of each word of `before`, see stack_bracket_age() */
	bool ended;                        /* there is no more memory behind `after` */
};

/*
 * [from, from + size) of the thread before and after the samples of this round; less than that where the memory ends, or
 * was not read before, or is more than a quarter of a MiB from what is needed of the thread's stack. False when the
 * process cannot be read now.
 */
bool stack_reads_bracket(struct stack_reads *reads, uint32_t pid, uint32_t tid, uint64_t from, size_t size,
			 struct stack_bracket *bracket);

/*
 * In how many reads in a row before `before` the word at an address was the same, at most 255; 0 where that is not known.
 * A word that has not changed for long has most likely not changed, and changed back, in between either.
 */
static inline unsigned int stack_bracket_age(const struct stack_bracket *bracket, uint64_t address)
{
	const uint64_t offset = address - bracket->before.address;

	return offset < bracket->before.size ? bracket->ages[offset / sizeof(uint64_t)] : 0;
}

/* From now on [from, to) of the thread is read in each round: what is missing of its stacks lies there. */
void stack_reads_need(struct stack_reads *reads, uint32_t pid, uint32_t tid, uint64_t from, uint64_t to);

#endif
