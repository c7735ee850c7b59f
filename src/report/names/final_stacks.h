#ifndef XPROF_REPORT_NAMES_FINAL_STACKS_H
#define XPROF_REPORT_NAMES_FINAL_STACKS_H

/*
 * The stacks of a raw profile become those of the final one. Memory that need not be filled again is the fastest: where
 * different nodes remain different, the tree is moved and its nodes only get other locations. Otherwise it is copied:
 * what is inlined is a node of its own, and where two locations have become one, so may nodes.
 */

#include <stddef.h>
#include <stdint.h>

#include "profile/raw_profile.h"
#include "report/names/final_locations.h"
#include "report/names/stack_beginning.h"

/* Their final numbers, by raw number. */
struct final_stacks {
	uint32_t *nodes; /* final numbers; of several, where something is inlined, the innermost; NULL: the same ones */
	uint8_t *beginnings; /* enum stack_beginning */
};

/* `profile` has none yet, but the final locations with their functions. The raw profile's may not be asked for afterwards. */
void final_stacks_make(struct final_stacks *stacks, struct raw_profile *raw,
		       const struct final_locations *locations, struct profile *profile);
void final_stacks_fini(struct final_stacks *stacks);

static inline uint32_t final_stacks_number(const struct final_stacks *stacks, uint32_t raw)
{
	return stacks->nodes ? stacks->nodes[raw] : raw;
}

/* Why a stack ends for which the raw profile says `end`. */
static inline enum stack_end final_stacks_end(const struct final_stacks *stacks, uint32_t raw,
					      enum stack_end end)
{
	return stack_beginning_end((enum stack_beginning)stacks->beginnings[raw], end);
}

#endif
