#ifndef XPROF_PROFILE_STACK_TREE_H
#define XPROF_PROFILE_STACK_TREE_H

/*
 * Stacks as a prefix tree: stacks that share their outermost callers share those nodes, and a whole stack is
 * one number, that of its leaf. A node's parent has a smaller number than the node, so a loop over numbers
 * meets callers first.
 */

#include "profile/intern_table.h"
#include "profile/stack_node.h"

struct stack_tree {
	struct intern_table nodes; /* struct profile_stack */
};

/*
 * The hash of a node is made of the locations and origins on its path, not of node numbers. So the hashes of
 * a whole stack can be computed, and its nodes prefetched, before the first lookup. Two nodes rarely have the
 * same path; that does no harm.
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

/*
 * The node for `location` called from the node `parent`, which must exist; PROFILE_NONE: a root. Added if it
 * is new.
 */
uint32_t stack_tree_add(struct stack_tree *tree, uint32_t parent, uint32_t location,
			enum frame_origin origin);

/*
 * Makes a tree of `count` nodes, in which node i becomes node numbers[i]. The numbers ascend. The other nodes are new and
 * have no value until stack_tree_set().
 */
void stack_tree_spread(struct stack_tree *tree, const uint32_t *numbers, size_t count);

/* Changes a node, after its caller. Lookups do not find it by its new value. */
void stack_tree_set(struct stack_tree *tree, uint32_t number, uint32_t parent, uint32_t location,
		    enum frame_origin origin);

static inline const struct profile_stack *stack_tree_at(const struct stack_tree *tree, uint32_t number)
{
	return (const struct profile_stack *)tree->nodes.items + number;
}

#endif
