#ifndef XPROF_UNWIND_CODE_SWITCH_H
#define XPROF_UNWIND_CODE_SWITCH_H

/*
 * Makes rules for straight code that loads a stack pointer, perhaps that of another stack, and jumps to an address in a
 * register: longjmp, and functions that switch between fibers (Boost's jump_fcontext).
 */

#include "unwind/arch/rule_pool.h"
#include "unwind/arch/unwind_arch.h"

/*
 * The number of a rule that is `by_code`: the values of the stack pointer and the other registers at the target of the
 * jump, and the target, which must be behind a call. RULE_POOL_NO_CFI if the code is different.
 */
uint32_t code_switch_rule(const struct code_bytes *code, const struct unwind_arch *arch,
			  struct rule_pool *pool);

/*
 * For code that was entered by a jump and begins by removing words from the stack: the distance to the instruction behind
 * that, and the number of removed bytes. Returns false if the code does something else first.
 */
bool code_switch_release(const struct code_bytes *code, const struct unwind_arch *arch, size_t *distance,
			 int32_t *bytes);

#endif
