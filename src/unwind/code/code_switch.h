#ifndef XPROF_UNWIND_CODE_SWITCH_H
#define XPROF_UNWIND_CODE_SWITCH_H

/*
 * The rule for an instruction from which straight code leads to a jump to what a register says, with a stack pointer that may
 * be another stack's: longjmp, and the functions that switch from one fiber to another (Boost's jump_fcontext).
 */

#include "unwind/arch/rule_pool.h"
#include "unwind/arch/unwind_arch.h"

/*
 * The number of a rule that is `by_code`: what the stack pointer and the other registers will be there, and where that is,
 * which must be behind a call. RULE_POOL_NO_CFI where the code goes on in another way.
 */
uint32_t code_switch_rule(const struct code_bytes *code, const struct unwind_arch *arch,
			  struct rule_pool *pool);

/*
 * How far straight code goes from here until it has moved the stack pointer up, and by how many bytes: what was entered by a
 * jump takes off what was put there for it. False where the code does something else before.
 */
bool code_switch_release(const struct code_bytes *code, const struct unwind_arch *arch, size_t *distance,
			 int32_t *bytes);

#endif
