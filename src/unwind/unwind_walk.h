#ifndef XPROF_UNWIND_UNWIND_WALK_H
#define XPROF_UNWIND_UNWIND_WALK_H

/*
 * The state of a walk up one stack, shared by unwinder.c, which walks, and code_step.c, which takes the steps by instructions.
 * Private to these files.
 */

#include <stdbool.h>
#include <stdint.h>

#include "unwind/code_proof.h"
#include "unwind/mapping_cache.h"
#include "unwind/rule_memo.h"
#include "unwind/unwind_step.h"
#include "unwind/unwinder_counts.h"

struct unwinder {
	struct rule_memo memo;
	struct mapping_cache mappings;
	struct code_proof proof;
	struct unwinder_counts counts;
};

/* One walk up one stack. */
struct unwind_walk {
	struct unwinder *unwinder;
	const struct unwind_input *input;
	struct unwind_stack *stack;
	struct unwind_step step;
	const struct known_mapping *mapping; /* of the current pc; NULL: nothing is known to be mapped there */
	bool full;                           /* follow all registers, not only pc, sp and fp */
};

/* The executable mapping that contains `address`; NULL if there is none. */
const struct known_mapping *unwind_walk_code_at(const struct unwind_walk *walk, uint64_t address);

/*
 * The mapping of the current pc; NULL if that is not executable. A return address belongs to the call before
 * it, but a signal trampoline may be at the start of a mapping.
 */
const struct known_mapping *unwind_walk_mapping_of_pc(struct unwind_walk *walk);

/* The rule for the current frame, from the module at the pc; if there is none, a rule with PATH_NO_CFI. */
const struct unwind_rule *unwind_walk_rule(struct unwind_walk *walk);

#endif
