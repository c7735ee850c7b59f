#ifndef XPROF_PROFILE_CALL_TREE_H
#define XPROF_PROFILE_CALL_TREE_H

/*
 * Sums over call paths. The caller adds any selection of paths, in either direction (root to leaf shows
 * callees, leaf to root shows callers); paths with a common beginning share nodes. The caller chooses the
 * keys: usually frames (frame_table.h), but the first step of a path may be a thread or an event, too.
 *
 * A node's self is the sum of the paths that end there, its total that of all paths through it, so total =
 * self + the totals of its children. A function that calls itself is a chain of nodes, each of which counts a
 * sample once.
 */

#include <stdint.h>

#define CALL_TREE_NONE UINT32_MAX

struct call_node {
	uint32_t key;
	uint32_t parent;       /* CALL_TREE_NONE for a first step; less than the node's own number */
	uint32_t first_child;  /* CALL_TREE_NONE: none */
	uint32_t next_sibling; /* CALL_TREE_NONE: this is the last */
	uint64_t self_count, self_weight;
	uint64_t total_count, total_weight; /* see call_tree_sum_up() */
};

struct call_tree;

struct call_tree *call_tree_create(void);
void call_tree_destroy(struct call_tree *tree);

/*
 * The child with that key of `parent` (CALL_TREE_NONE: of the root, a first step). Added if it does not
 * exist.
 */
uint32_t call_tree_child(struct call_tree *tree, uint32_t parent, uint32_t key);

/* Adds a path that ends at `node`; CALL_TREE_NONE, the empty path, adds only to the sums of the tree. */
void call_tree_add(struct call_tree *tree, uint32_t node, uint64_t count, uint64_t weight);

/* Computes the totals of nodes. Call it after the last addition. */
void call_tree_sum_up(struct call_tree *tree);

/*
 * Sorts siblings by total weight, largest first; those of equal weight by their keys, so that the order of
 * additions does not matter.
 */
void call_tree_sort(struct call_tree *tree);

/* The first one of the first steps; CALL_TREE_NONE if the tree is empty. */
uint32_t call_tree_first(const struct call_tree *tree);
const struct call_node *call_tree_at(const struct call_tree *tree, uint32_t node);
uint32_t call_tree_node_count(const struct call_tree *tree);
uint64_t call_tree_count(const struct call_tree *tree);
uint64_t call_tree_weight(const struct call_tree *tree);

#endif
