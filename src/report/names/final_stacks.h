#ifndef XPROF_REPORT_NAMES_FINAL_STACKS_H
#define XPROF_REPORT_NAMES_FINAL_STACKS_H

/*
 * Turns the stacks of a raw profile into stacks of the final one. Inlined functions become nodes of their own. If different
 * nodes remain different, as nearly always, the tree is moved and changed in place. Otherwise, because locations
 * have become equal, the tree is copied.
 */

#include <stdbool.h>
#include <stdint.h>

#include "profile/raw_profile.h"
#include "report/names/final_locations.h"
#include "report/names/stack_beginning.h"

/* Results by raw number of a node. */
struct final_stacks {
	/* final numbers; with inlined functions the innermost node; NULL: numbers are the same */
	uint32_t *nodes;
	uint8_t *beginnings; /* enum stack_beginning */
	bool merged;         /* different nodes may have one number */
};

/*
 * `profile` has the final locations and functions, but no stacks yet. Do not use the stacks of the raw
 * profile afterwards.
 */
void final_stacks_make(struct final_stacks *stacks, struct raw_profile *raw,
		       const struct final_locations *locations, struct profile *profile);
void final_stacks_fini(struct final_stacks *stacks);

/* `raw`: PROFILE_NONE in samples without a stack (profile/sample_sums.h). */
static inline uint32_t final_stacks_number(const struct final_stacks *stacks, uint32_t raw)
{
	return stacks->nodes && raw != PROFILE_NONE ? stacks->nodes[raw] : raw;
}

/* Why a stack ends, given `end` in the raw profile and its outermost function. */
static inline enum stack_end final_stacks_end(const struct final_stacks *stacks, uint32_t raw,
					      enum stack_end end)
{
	return raw == PROFILE_NONE ? end :
				     stack_beginning_end((enum stack_beginning)stacks->beginnings[raw], end);
}

#endif
