#ifndef XPROF_PROFILE_STACK_PLACES_H
#define XPROF_PROFILE_STACK_PLACES_H

/*
 * Which node of a call tree each stack of a profile has become. The profile's stacks are a tree themselves, so that
 * what leads to one of its nodes never changes: a stack that begins like others only needs its new frames to be looked
 * up, and one that was seen before none.
 */

#include "profile/call_tree.h"
#include "profile/profile.h"

/* What a frame is in the call tree: the key of a node of the profile's stacks. */
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
