#ifndef XPROF_RECORD_STACK_CONTINUER_H
#define XPROF_RECORD_STACK_CONTINUER_H

/*
 * Continues stacks that are deeper than the kernel's dump of them, by what is read above it in the process, before and
 * after the sample (stack_reads.h). That is not what was there when the sample was taken, so a stack is continued only if
 *
 *	it leads to the start of the thread, above the dump by rules that are exact;
 *	it is the same stack by either read, place by place;
 *	the words that hold the return addresses, and those below them, are the same in either, and had been so for
 *	the last 16 reads, which are some 10 ms apart.
 *
 * The last is what tells a stack that stands from one that was given up and built again: that the words are equal before
 * and after says little of a recursion, whose frames are alike, but where it turns they are seen to change.
 */

#include <stdbool.h>

#include "record/stack/live_unwinder.h"

struct stack_continuer;

/* `unwinder` is borrowed. */
struct stack_continuer *stack_continuer_create(struct live_unwinder *unwinder);
void stack_continuer_destroy(struct stack_continuer *continuer);

/* Before the heads of the rings are read. */
void stack_continuer_begin_round(struct stack_continuer *continuer);

/* See stack_reads_are_going_on(). */
bool stack_continuer_is_going_on(const struct stack_continuer *continuer);

enum stack_continuation {
	STACK_CONTINUED,
	STACK_UNCONFIRMED,
	STACK_UNREADABLE, /* the process has ended, or may not be read */
};

/*
 * `stack` is that of a sample of this round, and ended with its dump: UNWIND_END_STACK_EXHAUSTED. When it is continued, it
 * is whole, and frame `*first` is the innermost that was found above the dump.
 */
enum stack_continuation stack_continuer_continue(struct stack_continuer *continuer,
						 const struct sample_parts *parts, struct unwind_stack *stack,
						 size_t *first);

#endif
