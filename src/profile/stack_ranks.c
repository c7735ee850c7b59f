/*
 * No recursion and no child lists: callers have smaller numbers, so one pass from the end measures subtrees and one from the
 * front hands out ranks.
 */
#include "profile/stack_ranks.h"

#include <stdlib.h>

#include "base/xalloc.h"

/* The number of nodes in each subtree. A caller's number is smaller than those of its callees. */
static uint32_t *measure(const struct profile_stack *nodes, uint32_t count)
{
	uint32_t *sizes = xcalloc((size_t)count + 1, sizeof(*sizes));

	for (uint32_t i = count; i-- > 0;) {
		sizes[i]++;
		if (nodes[i].parent != PROFILE_NONE)
			sizes[nodes[i].parent] += sizes[i];
	}
	return sizes;
}

/* While this runs, ranks[i] is the end of the ranks that are left for the node's callees, which take theirs from the end. */
static void rank(uint32_t *ranks, const struct profile_stack *nodes, const uint32_t *sizes, uint32_t count)
{
	uint32_t roots_end = count;

	for (uint32_t i = 0; i < count; i++) {
		const uint32_t caller = nodes[i].parent;
		uint32_t *end = caller == PROFILE_NONE ? &roots_end : &ranks[caller];

		ranks[i] = *end;
		*end -= sizes[i];
	}
	for (uint32_t i = 0; i < count; i++)
		ranks[i]--; /* the callees have taken all ranks but the node's own */
}

uint32_t *stack_ranks_make(const struct profile *profile)
{
	const uint32_t count = profile_stack_count(profile);
	const struct profile_stack *nodes = count ? profile_stack_at(profile, 0) : NULL;
	uint32_t *ranks = xmalloc(((size_t)count + 1) * sizeof(*ranks));
	uint32_t *sizes = measure(nodes, count);

	rank(ranks, nodes, sizes, count);
	free(sizes);
	return ranks;
}
