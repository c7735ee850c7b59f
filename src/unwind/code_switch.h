#ifndef XPROF_UNWIND_CODE_SWITCH_H
#define XPROF_UNWIND_CODE_SWITCH_H

/*
 * The rule for an instruction from which straight code leads to a jump to what a register says, with a stack pointer that may
 * be another stack's: longjmp, and the functions that switch from one fiber to another (Boost's jump_fcontext).
 */

#include "unwind/rule_pool.h"
#include "unwind/unwind_arch.h"

/*
 * The number of a rule that is `by_code`: what the stack pointer and the other registers will be there, and where that is,
 * which must be behind a call. RULE_POOL_NO_CFI where the code goes on in another way.
 */
uint32_t code_switch_rule(const struct code_bytes *code, const struct unwind_arch *arch,
			  struct rule_pool *pool);

#endif
