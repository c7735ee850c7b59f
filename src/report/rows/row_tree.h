#ifndef XPROF_REPORT_ROWS_ROW_TREE_H
#define XPROF_REPORT_ROWS_ROW_TREE_H

/* The call tree of a row: what the hits of the row lead to, in the order of the hist, by what makes two frames the same. */

#include "profile/call_tree.h"
#include "report/rows/hist.h"
#include "report/rows/row_branches.h"

/* The identity of frames in a graph. */
enum row_graph_key {
	ROW_GRAPH_FUNCTION,
	ROW_GRAPH_ADDRESS, /* the instruction; as for source lines, the line stands behind the function's name */
	ROW_GRAPH_SRCLINE, /* needs the hist's sources, as the one before */
};

/* For one row after the other. Borrows the hist. */
struct row_trees;
struct row_trees *row_trees_create(const struct hist *hist, enum row_graph_key key);
void row_trees_destroy(struct row_trees *trees);

/* Summed up and sorted; the caller's. Keys are frames, or else those of row_tree_location(). */
struct call_tree *row_tree_make(struct row_trees *trees, const struct hist_row *row);

/* Remarks on the branches at the nodes of the tree that was made last; NULL: there are none. */
const struct row_branches *row_trees_branches(const struct row_trees *trees);

/* Of a key that is no frame: its location, and whether it was guessed. */
static inline uint32_t row_tree_location(uint32_t key)
{
	return key / 2;
}

static inline bool row_tree_is_guessed(uint32_t key)
{
	return key % 2;
}

#endif
