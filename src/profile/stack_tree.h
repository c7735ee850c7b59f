#ifndef XPROF_PROFILE_STACK_TREE_H
#define XPROF_PROFILE_STACK_TREE_H

/*
 * Stacks as a prefix tree: stacks that share their outermost callers share those
 * nodes, and a whole stack is one number, that of its leaf. A node's parent is
 * older than the node, so a walk by rising number meets callers first.
 */

#include "profile/intern_table.h"
#include "profile/stack_node.h"

struct stack_tree {
	struct intern_table nodes; /* struct profile_stack */
};

/*
 * The hash of a node is made of the locations and origins on its path, not of node numbers. So the hashes of
 * a whole stack are known, and its nodes can be prefetched, before the first of them is looked up. Equal
 * paths of different nodes are rare and do no harm.
 */
static inline uint64_t stack_tree_hash(uint32_t parent_path, uint32_t location, enum frame_origin origin)
{
	return hash_combine((uint64_t)parent_path << 32 | location, origin);
}
static inline uint32_t stack_tree_path(uint64_t hash)
{
	return (uint32_t)(hash >> 32);
}

void stack_tree_init(struct stack_tree *tree);
void stack_tree_fini(struct stack_tree *tree);

/* The node of `location` called from `parent` (PROFILE_NONE: a root); `parent` must exist. */
uint32_t stack_tree_add(struct stack_tree *tree, uint32_t parent, uint32_t location,
			enum frame_origin origin);

/* Another location for a node whose caller has its own already. It is not found by it. */
void stack_tree_set_location(struct stack_tree *tree, uint32_t number, uint32_t location);

static inline const struct profile_stack *stack_tree_at(const struct stack_tree *tree, uint32_t number)
{
	return (const struct profile_stack *)tree->nodes.items + number;
}

#endif
