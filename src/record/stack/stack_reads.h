#ifndef XPROF_RECORD_STACK_READS_H
#define XPROF_RECORD_STACK_READS_H

/*
 * Reads the part of stacks above their dumps from the running process, if the kernel dumps stacks. A sample is read from its
 * ring some time after it was taken, and its thread has run on since. So each such stack is read twice, once before and once
 * after the sample; words that are equal in both were most likely equal in between. The caller decides which words must be
 * equal.
 *
 *	stack_reads_begin_round()      reads the threads whose samples needed it lately, for the next round: before its samples
 *	the heads of the rings are read: this decides which samples the round has
 *	stack_reads_bracket()          reads a thread now, after the samples of the round
 *	stack_reads_need()             notes the range that completed a stack
 *
 * Threads are remembered for a quarter of a second after the last sample that needed it.
 */

#include <stdbool.h>

#include "unwind/arch/stack_memory.h"

struct stack_reads;

struct stack_reads *stack_reads_create(void);
void stack_reads_destroy(struct stack_reads *reads);

void stack_reads_begin_round(struct stack_reads *reads);

/* Are threads being read? If so, rounds should be short, because a running thread rebuilds its stack. */
bool stack_reads_are_going_on(const struct stack_reads *reads);

/* A part of a thread's memory at two times. Valid until the next call. */
struct stack_bracket {
	struct stack_memory before, after; /* memory from `from` on; size 0: not read */
	const uint8_t *ages;               /* for each word of `before`: see stack_bracket_age() */
	bool ended;                        /* no memory is mapped behind `after` */
};

/*
 * Gives [from, from + size) of the thread's memory before and after the samples of this round. The ranges are shorter if the
 * memory ends, was not read before, or is more than 256 KiB from the range that the thread needs. Returns false if the process
 * cannot be read now.
 */
bool stack_reads_bracket(struct stack_reads *reads, uint32_t pid, uint32_t tid, uint64_t from, size_t size,
			 struct stack_bracket *bracket);

/*
 * The number of consecutive reads up to `before` in which the word at `address` was the same, at most 255; 0 if unknown. A word
 * that has been the same for long has most likely not changed and changed back in between, either.
 */
static inline unsigned int stack_bracket_age(const struct stack_bracket *bracket, uint64_t address)
{
	const uint64_t offset = address - bracket->before.address;

	return offset < bracket->before.size ? bracket->ages[offset / sizeof(uint64_t)] : 0;
}

/* From now on each round reads [from, to) of the thread, where the missing part of its stacks is. */
void stack_reads_need(struct stack_reads *reads, uint32_t pid, uint32_t tid, uint64_t from, uint64_t to);

#endif
