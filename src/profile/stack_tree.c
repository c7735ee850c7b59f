#include "profile/stack_tree.h"

static bool node_equal(const void *items, uint32_t item, const void *key)
{
	const struct profile_stack *a = (const struct profile_stack *)items + item, *b = key;

	return a->location == b->location && a->parent == b->parent && a->origin == b->origin;
}

static uint64_t node_hash(const struct profile_stack *node)
{
	uint64_t words = (uint64_t)node->parent << 32 | node->location;

	/* The origin takes part late: nodes that differ in nothing else are rare. */
	return hash_u64(words * 0x9e3779b97f4a7c15u + node->origin);
}

void stack_tree_init(struct stack_tree *tree)
{
	intern_table_init(&tree->nodes, sizeof(struct profile_stack), node_equal);
}

void stack_tree_fini(struct stack_tree *tree)
{
	intern_table_fini(&tree->nodes);
}

/* Saturates: a deeper stack than 65535 callers keeps its nodes, only the figure stops growing. */
static uint16_t depth_below(const struct stack_tree *tree, uint32_t parent)
{
	uint16_t depth;

	if (parent == PROFILE_NONE)
		return 0;
	depth = stack_tree_at(tree, parent)->depth;
	return depth < UINT16_MAX ? (uint16_t)(depth + 1) : depth;
}

/*
 * Mostly who calls a function calls it again. The parent is at hand, having been looked up just now, so that this costs
 * one place in memory to look at where the table costs two.
 */
static uint32_t newest_child(const struct stack_tree *tree, uint32_t parent, uint32_t location,
			     enum frame_origin origin)
{
	uint32_t child = parent == PROFILE_NONE ? 0 : stack_tree_at(tree, parent)->newest_child;
	const struct profile_stack *node = child ? stack_tree_at(tree, child) : NULL;

	return node && node->location == location && node->origin == origin ? child : PROFILE_NONE;
}

uint32_t stack_tree_add(struct stack_tree *tree, uint32_t parent, uint32_t location, enum frame_origin origin)
{
	uint32_t number = newest_child(tree, parent, location, origin);
	struct profile_stack node = { .parent = parent, .location = location, .origin = (uint8_t)origin };

	if (number != PROFILE_NONE)
		return number;
	node.depth = depth_below(tree, parent);
	number = intern_table_add(&tree->nodes, node_hash(&node), &node);
	if (parent != PROFILE_NONE)
		((struct profile_stack *)tree->nodes.items)[parent].newest_child = number;
	return number;
}
