/*
 * The walk goes from the stack outwards until it meets a node whose place is known, and comes back making the missing nodes of
 * the tree. Each node remembers the place of the last start only; another start that reaches the node looks it up again.
 */
#include "profile/stack_places.h"

#include <stdlib.h>

#include "base/xalloc.h"

struct place {
	uint32_t start; /* its number; 0 if none */
	uint32_t top;
	uint32_t node;
};

struct stack_places {
	const struct profile *profile;
	stack_key *key;
	void *context;
	struct place *places; /* by node of the profile's stacks: its place for the start that asked last */
	uint32_t *way;        /* nodes still to be looked up, the outermost last */
	size_t way_capacity;
};

struct stack_places *stack_places_create(const struct profile *profile, stack_key *key, void *context)
{
	struct stack_places *places = xcalloc(1, sizeof(*places));

	places->profile = profile;
	places->key = key;
	places->context = context;
	places->places = xcalloc((size_t)profile_stack_count(profile) + 1, sizeof(*places->places));
	return places;
}

void stack_places_destroy(struct stack_places *places)
{
	if (!places)
		return;
	free(places->places);
	free(places->way);
	free(places);
}

uint32_t stack_places_node(struct stack_places *places, struct call_tree *tree, struct stack_start start,
			   uint32_t stack)
{
	uint32_t node = start.above;
	size_t length = 0;

	while (stack != PROFILE_NONE) {
		const struct place *place = &places->places[stack];

		if (place->start == start.number && place->top == start.top) {
			node = place->node;
			break;
		}
		*ARRAY_ADD(places->way, length, places->way_capacity) = stack;
		if (stack == start.top)
			break;
		stack = profile_stack_at(places->profile, stack)->parent;
	}
	while (length > 0) {
		stack = places->way[--length];
		node = call_tree_child(tree, node, places->key(places->context, stack));
		places->places[stack] = (struct place){ start.number, start.top, node };
	}
	return node;
}
