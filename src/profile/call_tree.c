/*
 * Nodes are interned by (parent, key), so a step of a path is one hash lookup; children hang in a list, newest first, until
 * call_tree_sort(). A parent's number is smaller than its children's, which lets call_tree_sum_up() be a single pass from the
 * end.
 */
#include "profile/call_tree.h"

#include <stdlib.h>

#include "base/saturating.h"
#include "base/xalloc.h"
#include "profile/intern_table.h"

struct call_tree {
	struct intern_table nodes; /* struct call_node, equal by (parent, key) */
	uint32_t first;
	uint64_t count, weight;
};

static bool node_equal(const void *items, uint32_t item, const void *key)
{
	const struct call_node *a = (const struct call_node *)items + item, *b = key;

	return a->key == b->key && a->parent == b->parent;
}

struct call_tree *call_tree_create(void)
{
	struct call_tree *tree = xcalloc(1, sizeof(*tree));

	intern_table_init(&tree->nodes, sizeof(struct call_node), node_equal);
	tree->first = CALL_TREE_NONE;
	return tree;
}

void call_tree_destroy(struct call_tree *tree)
{
	if (!tree)
		return;
	intern_table_fini(&tree->nodes);
	free(tree);
}

static struct call_node *node_at(struct call_tree *tree, uint32_t node)
{
	return (struct call_node *)tree->nodes.items + node;
}

/* New children go to the front; call_tree_sort() sets the order. */
static void link_child(struct call_tree *tree, uint32_t parent, uint32_t child)
{
	uint32_t *first = parent == CALL_TREE_NONE ? &tree->first : &node_at(tree, parent)->first_child;

	node_at(tree, child)->next_sibling = *first;
	*first = child;
}

uint32_t call_tree_child(struct call_tree *tree, uint32_t parent, uint32_t key)
{
	struct call_node node = {
		.key = key,
		.parent = parent,
		.first_child = CALL_TREE_NONE,
		.next_sibling = CALL_TREE_NONE,
	};
	uint64_t hash = hash_u64(((uint64_t)parent << 32 | key) * 0x9e3779b97f4a7c15u);
	size_t before = tree->nodes.count;
	uint32_t child = intern_table_add(&tree->nodes, hash, &node);

	if (tree->nodes.count > before)
		link_child(tree, parent, child);
	return child;
}

void call_tree_add(struct call_tree *tree, uint32_t node, uint64_t count, uint64_t weight)
{
	saturating_add(&tree->count, count);
	saturating_add(&tree->weight, weight);
	if (node == CALL_TREE_NONE)
		return;
	saturating_add(&node_at(tree, node)->self_count, count);
	saturating_add(&node_at(tree, node)->self_weight, weight);
}

/* From the end, because a parent has a smaller number than its children. */
void call_tree_sum_up(struct call_tree *tree)
{
	for (size_t i = 0; i < tree->nodes.count; i++) {
		struct call_node *node = node_at(tree, (uint32_t)i);

		node->total_count = node->self_count;
		node->total_weight = node->self_weight;
	}
	for (size_t i = tree->nodes.count; i > 0; i--) {
		const struct call_node *node = node_at(tree, (uint32_t)(i - 1));

		if (node->parent == CALL_TREE_NONE)
			continue;
		saturating_add(&node_at(tree, node->parent)->total_count, node->total_count);
		saturating_add(&node_at(tree, node->parent)->total_weight, node->total_weight);
	}
}

struct sibling {
	uint64_t weight;
	uint32_t key;
	uint32_t node;
};

static int heavier_first(const void *one, const void *other)
{
	const struct sibling *a = one, *b = other;

	if (a->weight != b->weight)
		return a->weight > b->weight ? -1 : 1;
	return a->key < b->key ? -1 : a->key > b->key;
}

struct siblings {
	struct sibling *items;
	size_t capacity;
};

static void sort_list(struct call_tree *tree, uint32_t *first, struct siblings *scratch)
{
	size_t count = 0, i;
	uint32_t node;

	if (*first == CALL_TREE_NONE || node_at(tree, *first)->next_sibling == CALL_TREE_NONE)
		return;
	for (node = *first; node != CALL_TREE_NONE; node = node_at(tree, node)->next_sibling)
		*ARRAY_ADD(scratch->items, count, scratch->capacity) =
			(struct sibling){ node_at(tree, node)->total_weight, node_at(tree, node)->key, node };
	qsort(scratch->items, count, sizeof(*scratch->items), heavier_first);
	*first = scratch->items[0].node;
	for (i = 0; i < count; i++)
		node_at(tree, scratch->items[i].node)->next_sibling =
			i + 1 < count ? scratch->items[i + 1].node : CALL_TREE_NONE;
}

void call_tree_sort(struct call_tree *tree)
{
	struct siblings scratch = { 0 };
	uint32_t node;

	sort_list(tree, &tree->first, &scratch);
	for (node = 0; node < tree->nodes.count; node++)
		sort_list(tree, &node_at(tree, node)->first_child, &scratch);
	free(scratch.items);
}

uint32_t call_tree_first(const struct call_tree *tree)
{
	return tree->first;
}

const struct call_node *call_tree_at(const struct call_tree *tree, uint32_t node)
{
	return (const struct call_node *)tree->nodes.items + node;
}

uint32_t call_tree_node_count(const struct call_tree *tree)
{
	return (uint32_t)tree->nodes.count;
}

uint64_t call_tree_count(const struct call_tree *tree)
{
	return tree->count;
}

uint64_t call_tree_weight(const struct call_tree *tree)
{
	return tree->weight;
}
