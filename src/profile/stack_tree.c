/* An intern_table of nodes, equal by location, caller and origin. The hash that the table keeps of a node is its path. */
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
	return number == PROFILE_NONE ? STACK_PATH_ROOT : intern_table_hash(&tree->nodes, number);
}

static struct profile_stack make_node(const struct stack_tree *tree, uint32_t parent, uint32_t location,
				      enum frame_origin origin)
{
	return (struct profile_stack){ .parent = parent,
				       .location = location,
				       .origin = (uint8_t)origin,
				       .depth = depth_below(tree, parent) };
}

uint32_t stack_tree_add(struct stack_tree *tree, uint32_t parent, uint32_t location, enum frame_origin origin)
{
	const struct profile_stack node = make_node(tree, parent, location, origin);

	return intern_table_add(&tree->nodes, stack_tree_hash(path_of(tree, parent), location, origin),
				&node);
}

void stack_tree_spread(struct stack_tree *tree, const uint32_t *numbers, size_t count)
{
	const size_t old = tree->nodes.count;
	struct profile_stack *nodes;

	intern_table_widen(&tree->nodes, count);
	nodes = tree->nodes.items;
	for (size_t i = old; i-- > 0;) /* numbers[i] is at least i */
		nodes[numbers[i]] = nodes[i];
}

void stack_tree_set(struct stack_tree *tree, uint32_t number, uint32_t parent, uint32_t location,
		    enum frame_origin origin)
{
	((struct profile_stack *)tree->nodes.items)[number] = make_node(tree, parent, location, origin);
}
