#ifndef XPROF_RECORD_STACK_CONTINUER_H
#define XPROF_RECORD_STACK_CONTINUER_H

/*
 * Continues stacks that are deeper than the kernel's dump with memory read from the process above the dump, before and after
 * the sample (stack_reads.h). That memory may have changed in between, so a stack is continued only if
 *
 *	it leads to the start of the thread, above the dump by exact rules only;
 *	both reads give the same stack, frame by frame at the same places;
 *	the words with the return addresses, and those below them, are equal in both reads, and have been equal in the
 *	last 16 reads, which are some 10 ms apart.
 *
 * The last condition tells a stack that stayed from one that was left and built again. Equal words before and after the sample
 * prove little in a recursion, whose frames are alike; but at the depth where it turns, words are seen to change.
 */

#include <stdbool.h>

#include "record/stack/live_unwinder.h"

struct stack_continuer;

/* `unwinder` is borrowed. */
struct stack_continuer *stack_continuer_create(struct live_unwinder *unwinder);
void stack_continuer_destroy(struct stack_continuer *continuer);

/* Call it before the heads of the rings are read. */
void stack_continuer_begin_round(struct stack_continuer *continuer);

/* See stack_reads_are_going_on(). */
bool stack_continuer_is_going_on(const struct stack_continuer *continuer);

enum stack_continuation {
	STACK_CONTINUED,
	STACK_UNCONFIRMED,
	STACK_UNREADABLE, /* the process has ended, or may not be read */
};

/*
 * `stack` is the stack of a sample of this round that ended with its dump (UNWIND_END_STACK_EXHAUSTED). With STACK_CONTINUED it
 * is complete, and frame `*first` is the innermost one found above the dump.
 */
enum stack_continuation stack_continuer_continue(struct stack_continuer *continuer,
						 const struct sample_parts *parts, struct unwind_stack *stack,
						 size_t *first);

#endif
