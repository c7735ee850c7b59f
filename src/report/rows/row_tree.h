#ifndef XPROF_REPORT_ROWS_ROW_TREE_H
#define XPROF_REPORT_ROWS_ROW_TREE_H

/*
 * The call tree of a row, made of the stacks of its hits, in the call order of the hist. A key decides which
 * frames are equal.
 */

#include "profile/call_tree.h"
#include "report/rows/hist.h"
#include "report/rows/row_branches.h"

/* Frames of a graph are equal if they have the same: */
enum row_graph_key {
	ROW_GRAPH_FUNCTION,
	ROW_GRAPH_ADDRESS, /* instruction; shown with the source line after the function's name */
	ROW_GRAPH_SRCLINE, /* source line; this and ROW_GRAPH_ADDRESS need the hist's sources */
};

/* Makes the trees of rows, one after the other. Borrows the hist. */
struct row_trees;
struct row_trees *row_trees_create(const struct hist *hist, enum row_graph_key key);
void row_trees_destroy(struct row_trees *trees);

/*
 * Returns a tree, summed up and sorted, which the caller destroys. Its keys are frames, or for
 * row_tree_location().
 */
struct call_tree *row_tree_make(struct row_trees *trees, const struct hist_row *row);

/* Remarks on branches at the nodes of the last tree; NULL: there are none. */
const struct row_branches *row_trees_branches(const struct row_trees *trees);

/* The location of a key that is not a frame, and whether it was guessed. */
static inline uint32_t row_tree_location(uint32_t key)
{
	return key / 2;
}

static inline bool row_tree_is_guessed(uint32_t key)
{
	return key % 2;
}

#endif
