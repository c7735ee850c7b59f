#ifndef XPROF_PROFILE_CALL_TREE_H
#define XPROF_PROFILE_CALL_TREE_H

/*
 * Call paths added up. Any selection of paths can go in, in either direction
 * (root to leaf shows what is called, leaf to root shows who calls); paths that
 * begin alike share nodes. Keys are the caller's: frames (frame_table.h) as a
 * rule, but a thread or an event may as well be the first step of a path.
 *
 * A node's total is what passed through it, its self what ended there, so
 * total = self + the children's totals. A function that calls itself is
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
	uint64_t total_count, total_weight; /* see call_tree_sum_up() */
};

struct call_tree;

struct call_tree *call_tree_create(void);
void call_tree_destroy(struct call_tree *tree);

/* The child of a node (CALL_TREE_NONE: the first step) with that key, made if need be. */
uint32_t call_tree_child(struct call_tree *tree, uint32_t parent, uint32_t key);

/* Adds to the node that a path ends at; the empty path, CALL_TREE_NONE, only adds to the tree's own sums. */
void call_tree_add(struct call_tree *tree, uint32_t node, uint64_t count, uint64_t weight);

/* Computes the totals of nodes; call it when all paths are added. */
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
