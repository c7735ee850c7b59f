#ifndef XPROF_UNWIND_CODE_EXIT_H
#define XPROF_UNWIND_CODE_EXIT_H

/*
 * The rule for an instruction of a function of which it is not known where it begins: what a run-time compiler has made, and
 * described nowhere. The instructions are followed from there on to the return: how far they move the stack pointer, and
 * which registers they restore on the way.
 */

#include "unwind/rule_pool.h"
#include "unwind/unwind_arch.h"

/*
 * The number of a rule that is `by_code`; RULE_POOL_NO_CFI where no return is reached, or a call lies on the way and the
 * frame pointer does not say where the frame is: what is called may take its arguments off the stack.
 */
uint32_t code_exit_rule(const struct code_bytes *code, const struct unwind_arch *arch,
			struct rule_pool *pool);

#endif
