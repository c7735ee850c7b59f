#ifndef XPROF_UNWIND_CODE_STATE_H
#define XPROF_UNWIND_CODE_STATE_H

/*
 * The known state of the registers at one instruction of a function, derived from the instructions before it,
 * and the places on the stack where the caller's registers are saved. All addresses are relative to the CFA,
 * the stack pointer of the caller, so a state holds for every run.
 */

#include "unwind/arch/code_instruction.h"
#include "unwind/arch/rule_pool.h"
#include "unwind/arch/unwind_arch.h"

enum code_value_kind {
	CODE_UNKNOWN,
	CODE_CFA_PLUS, /* CFA + value */
	CODE_ENTRY_OF, /* the value of register `reg` at the function's entry; of column `ra`: the return address */
};

struct code_value {
	uint8_t kind; /* enum code_value_kind */
	uint8_t reg;
	int32_t value;
};

struct code_state {
	struct code_value regs[UNWIND_REGISTER_COUNT];
	int32_t slots[UNWIND_REGISTER_COUNT]; /* distance from the CFA of the word with the register's value
						 at the entry */
	uint64_t saved;                       /* bit n: register n has a slot */
};

/* Sets the state at a function's first instruction. */
void code_state_enter(struct code_state *state, const struct unwind_arch *arch);

void code_state_apply(struct code_state *state, const struct unwind_arch *arch,
		      const struct code_effect *effect);

/* Applies a call to the state. */
void code_state_call(struct code_state *state, const struct unwind_arch *arch);

/* Do two paths to one instruction differ in the depth of the stack? No compiler does that. */
bool code_state_differs_in_depth(const struct code_state *a, const struct code_state *b,
				 const struct unwind_arch *arch);

/* Keeps only knowledge that both states have. Returns true if `state` changed. */
bool code_state_meet(struct code_state *state, const struct code_state *other);

/* The number of the rule for a frame in that state; RULE_POOL_NO_CFI if too little is known. */
uint32_t code_state_rule(const struct code_state *state, const struct unwind_arch *arch,
			 struct rule_pool *pool);

#endif
