#ifndef XPROF_PROFILE_CALL_TREE_H
#define XPROF_PROFILE_CALL_TREE_H

/*
 * Call paths added up. Any selection of paths can go in, in either direction
 * (root to leaf shows what is called, leaf to root shows who calls); paths that
 * begin alike share nodes. Keys are the caller's: frames (frame_table.h) as a
 * rule, but a thread or an event may as well be the first step of a path.
 *
 * A node's total is what passed through it, its self what ended there, so
 * total = self + the children's totals, always. A function that calls itself is
 * a chain of nodes: each counts a sample once, none counts it twice.
 */

#include <stddef.h>
#include <stdint.h>

#define CALL_TREE_NONE UINT32_MAX

struct call_node {
	uint32_t key;
	uint32_t parent;       /* CALL_TREE_NONE for a first step; parent < own number */
	uint32_t first_child;  /* CALL_TREE_NONE: none */
	uint32_t next_sibling; /* CALL_TREE_NONE: the last */
	uint64_t self_count, self_weight;
	uint64_t total_count, total_weight;
};

struct call_tree;

struct call_tree *call_tree_create(void);
void call_tree_destroy(struct call_tree *tree);

/*
 * A path of `length` keys from its first step on; an empty one only adds to the tree's totals. Returns the node of
 * its last step, CALL_TREE_NONE for an empty one.
 */
uint32_t call_tree_add(struct call_tree *tree, const uint32_t *keys, size_t length, uint64_t count,
		       uint64_t weight);

/*
 * The same in steps, for paths that begin like the one before: the child of a node (CALL_TREE_NONE: the first step) with
 * that key, made if need be; then the nodes of the whole path, in order.
 */
uint32_t call_tree_child(struct call_tree *tree, uint32_t parent, uint32_t key);
void call_tree_add_path(struct call_tree *tree, const uint32_t *nodes, size_t length, uint64_t count,
			uint64_t weight);

/* The same once more, by the path's last node alone; CALL_TREE_NONE for an empty one. */
void call_tree_add_at(struct call_tree *tree, uint32_t last, uint64_t count, uint64_t weight);

/*
 * The same if the node of the whole path is known: adds to the node's self only. Call call_tree_sum_up() once
 * at the end to compute the totals. Do not mix with the functions above.
 */
void call_tree_add_self(struct call_tree *tree, uint32_t node, uint64_t count, uint64_t weight);
void call_tree_sum_up(struct call_tree *tree);

/* Largest total weight first; siblings of equal weight by their keys, whatever came first. */
void call_tree_sort(struct call_tree *tree);

/* The first of the first steps; CALL_TREE_NONE when nothing was added. */
uint32_t call_tree_first(const struct call_tree *tree);
const struct call_node *call_tree_at(const struct call_tree *tree, uint32_t node);
uint32_t call_tree_node_count(const struct call_tree *tree);
uint64_t call_tree_count(const struct call_tree *tree);
uint64_t call_tree_weight(const struct call_tree *tree);

#endif
