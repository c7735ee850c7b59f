#ifndef XPROF_UNWIND_STACK_JOINER_H
#define XPROF_UNWIND_STACK_JOINER_H

/*
 * Continues a stack whose dump was too short with the outer frames of a complete stack of the same thread.
 *
 *   complete    a b c d e root        same code at the same place of the stack,
 *   truncated   x y c d e  ?          three frames in a row: the same calls, still going on
 *
 * That is no proof: a function can have returned and been called from elsewhere at the same depth, as in
 * recursion. So several of the last complete stacks of the thread must agree on the callers; if its stacks
 * had different callers above the same three frames, nothing is joined; and joined frames are marked.
 */

#include "unwind/unwinder.h"

struct stack_joiner;

struct stack_joiner *stack_joiner_create(void);
void stack_joiner_destroy(struct stack_joiner *joiner);

/*
 * Remembers a stack whose end is UNWIND_END_ROOT; ignores others, and those with guessed frames. Equal values of
 * `thread` mean the same thread running the same program. Keeps only the last stacks of a limited number of threads,
 * at most 6 MB.
 */
void stack_joiner_learn(struct stack_joiner *joiner, uint64_t thread, const struct unwind_stack *stack);

/*
 * Continues a stack whose end is UNWIND_END_STACK_EXHAUSTED. Returns the number of added frames; if there are
 * any, the end becomes UNWIND_END_ROOT.
 */
size_t stack_joiner_join(const struct stack_joiner *joiner, uint64_t thread, struct unwind_stack *stack);

size_t stack_joiner_bytes(const struct stack_joiner *joiner);

#endif
