#ifndef XPROF_PROFILE_STACK_PLACES_H
#define XPROF_PROFILE_STACK_PLACES_H

/*
 * Maps each stack of a profile to its node in a call tree. The profile's stacks are a prefix tree, so the
 * path to a node never changes: for a stack with a known prefix only the new frames are looked up, and for a
 * known stack none.
 */

#include "profile/call_tree.h"
#include "profile/profile.h"

/* The key in the call tree for a node of the profile's stacks. */
typedef uint32_t stack_key(void *context, uint32_t stack);

struct stack_places;

/* All borrowed. 12 bytes for each node of the profile's stacks. */
struct stack_places *stack_places_create(const struct profile *profile, stack_key *key, void *context);
void stack_places_destroy(struct stack_places *places);

/* Where in the call tree paths begin, and where in the profile's stacks. */
struct stack_start {
	uint32_t number; /* the caller's, not 0: other trees, or places in a tree, have other numbers */
	uint32_t above;  /* the tree's node that they go on from; CALL_TREE_NONE: first steps */
	uint32_t top;    /* the outermost node that is part of the path; PROFILE_NONE: the root */
};

/* The node for the path down to `stack`, which `top` leads to; `above` when it is PROFILE_NONE. */
uint32_t stack_places_node(struct stack_places *places, struct call_tree *tree, struct stack_start start,
			   uint32_t stack);

#endif
