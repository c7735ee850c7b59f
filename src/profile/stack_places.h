#ifndef XPROF_PROFILE_STACK_PLACES_H
#define XPROF_PROFILE_STACK_PLACES_H

/*
 * Maps each stack of a profile to its node in a call tree. The profile's stacks are a prefix tree, so the
 * path to a node never changes: if the outer part of a stack is known, only its new frames are looked up.
 */

#include "profile/call_tree.h"
#include "profile/profile.h"

/* The key in the call tree for a node of the profile's stacks. */
typedef uint32_t stack_key(void *context, uint32_t stack);

struct stack_places;

/* The arguments are borrowed. Takes 12 bytes for each node of the profile's stacks. */
struct stack_places *stack_places_create(const struct profile *profile, stack_key *key, void *context);
void stack_places_destroy(struct stack_places *places);

/* The beginning of paths, in the call tree and in the profile's stacks. */
struct stack_start {
	uint32_t number; /* chosen by the caller, not 0; different for each tree, and for each `above` in a
			    tree */
	uint32_t above;  /* the tree's node at which paths begin; CALL_TREE_NONE: at the root */
	uint32_t top;    /* the outermost stack node that is part of the path; PROFILE_NONE: the root of the
			    stack */
};

/* The tree's node for the path from `start.top` to `stack`; `start.above` if `stack` is PROFILE_NONE. */
uint32_t stack_places_node(struct stack_places *places, struct call_tree *tree, struct stack_start start,
			   uint32_t stack);

#endif
