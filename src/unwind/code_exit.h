#ifndef XPROF_UNWIND_CODE_EXIT_H
#define XPROF_UNWIND_CODE_EXIT_H

/*
 * The rule for an instruction of a function of which it is not known where it begins: what a run-time compiler has made, and
 * described nowhere. The instructions are followed from there on, all ways, to a return: how far they move the stack pointer,
 * and which registers they restore. Ways without a call come first: a call may not return, or take its arguments off the stack.
 */

#include "unwind/rule_pool.h"
#include "unwind/unwind_arch.h"

/*
 * The number of a rule that is `by_code`: where no return is reached, but a jump to what is not known, it is a `tail` as well.
 * RULE_POOL_NO_CFI where there is neither.
 */
uint32_t code_exit_rule(const struct code_bytes *code, const struct unwind_arch *arch,
			struct rule_pool *pool);

#endif
