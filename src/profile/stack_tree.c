/* An intern_table of nodes, equal by location, caller and origin. The stored path lets a child's hash be computed at once. */
#include "profile/stack_tree.h"

static bool node_equal(const void *items, uint32_t item, const void *key)
{
	const struct profile_stack *a = (const struct profile_stack *)items + item, *b = key;

	return a->location == b->location && a->parent == b->parent && a->origin == b->origin;
}

void stack_tree_init(struct stack_tree *tree)
{
	intern_table_init(&tree->nodes, sizeof(struct profile_stack), node_equal);
}

void stack_tree_fini(struct stack_tree *tree)
{
	intern_table_fini(&tree->nodes);
}

/* Saturates: a stack deeper than 65535 callers keeps its nodes, only this number stops growing. */
static uint16_t depth_below(const struct stack_tree *tree, uint32_t parent)
{
	uint16_t depth;

	if (parent == PROFILE_NONE)
		return 0;
	depth = stack_tree_at(tree, parent)->depth;
	return depth < UINT16_MAX ? (uint16_t)(depth + 1) : depth;
}

static uint32_t path_of(const struct stack_tree *tree, uint32_t number)
{
	return number == PROFILE_NONE ? STACK_PATH_ROOT : stack_tree_at(tree, number)->path;
}

uint32_t stack_tree_add(struct stack_tree *tree, uint32_t parent, uint32_t location, enum frame_origin origin)
{
	const uint64_t hash = stack_tree_hash(path_of(tree, parent), location, origin);
	const struct profile_stack node = { .parent = parent,
					    .location = location,
					    .origin = (uint8_t)origin,
					    .depth = depth_below(tree, parent),
					    .path = stack_tree_path(hash) };

	return intern_table_add(&tree->nodes, hash, &node);
}

void stack_tree_set_location(struct stack_tree *tree, uint32_t number, uint32_t location)
{
	struct profile_stack *node = (struct profile_stack *)tree->nodes.items + number;

	node->location = location;
	node->path = stack_tree_path(
		stack_tree_hash(path_of(tree, node->parent), location, (enum frame_origin)node->origin));
}
