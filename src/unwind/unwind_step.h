#ifndef XPROF_UNWIND_UNWIND_STEP_H
#define XPROF_UNWIND_UNWIND_STEP_H

/* One step by a rule: from a frame's registers to its caller's. The walk from step to step is unwinder.h's. */

#include "unwind/unwind_stack.h"

/* The result of a step beside enum unwind_end: there is a caller. */
#define UNWIND_STEPPED ((enum unwind_end)UINT8_MAX)

struct unwind_step {
	const struct unwind_input *input;
	struct unwind_registers regs; /* of the current frame */
	uint64_t pc;
	bool is_return_address; /* is pc? */
	bool crossed_signal;    /* the stack may not be the one that the bytes were copied from */
	uint64_t top;           /* behind the highest byte of the stack that was needed */
	uint64_t value;         /* of a step that failed: what was wrong */
	uint64_t return_slot; /* of a step that failed: where the return address lies that could not be read */
};

void unwind_step_init(struct unwind_step *step, const struct unwind_input *input);

/* By a rule with PATH_SP or PATH_FP: pc, sp and fp alone are known afterwards. */
enum unwind_end unwind_step_fast(struct unwind_step *step, const struct unwind_rule *rule);

/* By any rule that gives a return address; `module` is where it comes from. */
enum unwind_end unwind_step_general(struct unwind_step *step, const struct unwind_rule *rule,
				    const struct module *module);

/* To a caller that was found in another way. */
void unwind_step_to(struct unwind_step *step, uint64_t pc, uint64_t sp, uint64_t fp);

size_t unwind_step_bytes_used(const struct unwind_step *step);

#endif
