#ifndef XPROF_UNWIND_UNWIND_STEP_H
#define XPROF_UNWIND_UNWIND_STEP_H

/*
 * One step by a rule: from the registers of a frame to those of its caller. unwinder.h has the walk over all
 * steps.
 */

#include "unwind/unwind_stack.h"

/* Another result of a step besides enum unwind_end: it found a caller. */
#define UNWIND_STEPPED ((enum unwind_end)UINT8_MAX)

struct unwind_step {
	const struct unwind_input *input;
	struct unwind_registers regs; /* of the current frame */
	uint64_t pc;
	bool is_return_address; /* pc is a return address */
	bool crossed_signal;    /* so this may be another stack than the copied one */
	uint64_t top;           /* end of the highest stack byte that was needed */
	uint64_t value;         /* of a failed step: the value that was wrong */
	uint64_t return_slot;   /* of a failed step: address of the return address that could not be read */
};

void unwind_step_init(struct unwind_step *step, const struct unwind_input *input);

/* By a rule with PATH_SP or PATH_FP. Afterwards only pc, sp and fp are known. */
enum unwind_end unwind_step_fast(struct unwind_step *step, const struct unwind_rule *rule);

/* By any rule that gives a return address. `module` is the module of the rule. */
enum unwind_end unwind_step_general(struct unwind_step *step, const struct unwind_rule *rule,
				    const struct module *module);

/* To a caller that was found without a rule. */
void unwind_step_to(struct unwind_step *step, uint64_t pc, uint64_t sp, uint64_t fp);

size_t unwind_step_bytes_used(const struct unwind_step *step);

#endif
