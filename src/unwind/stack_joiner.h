#ifndef XPROF_UNWIND_STACK_JOINER_H
#define XPROF_UNWIND_STACK_JOINER_H

/*
 * A stack that its dump was too short for, continued by another one of the same
 * thread that was complete.
 *
 *   complete    a b c d e root        same code at the same place of the stack,
 *   truncated   x y c d e  ?          three frames in a row: the same calls, still going on
 *
 * That is no proof: a function can have returned, and been called from
 * elsewhere at the same depth, as it does in recursion. So the callers must have
 * been in the last complete stacks of the thread, one after the other; where its
 * stacks have shown more than one way up from the same three frames, none is
 * taken; and frames that are joined are marked.
 */

#include "unwind/unwinder.h"

struct stack_joiner;

struct stack_joiner *stack_joiner_create(void);
void stack_joiner_destroy(struct stack_joiner *joiner);

/*
 * Remembers a stack whose end is UNWIND_END_ROOT; others, and those with guessed frames, are not worth it. Equal
 * numbers of `thread` stand for one thread that is running one program. Bounded: the last stacks of some threads are
 * kept, 6 MB at most.
 */
void stack_joiner_learn(struct stack_joiner *joiner, uint64_t thread, const struct unwind_stack *stack);

/* Continues a stack whose end is UNWIND_END_STACK_EXHAUSTED. How many frames were added; the end is ROOT then. */
size_t stack_joiner_join(const struct stack_joiner *joiner, uint64_t thread, struct unwind_stack *stack);

size_t stack_joiner_bytes(const struct stack_joiner *joiner);

#endif
