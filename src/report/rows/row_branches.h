#ifndef XPROF_REPORT_ROWS_ROW_BRANCHES_H
#define XPROF_REPORT_ROWS_ROW_BRANCHES_H

/* --branch-history in the call graphs of rows: remarks on the branches that led to each node of a tree, or came from it. */

#include "report/rows/branch_remark.h"
#include "report/rows/hist.h"

struct row_branches;

/* Borrows the hist. NULL if its samples have no marks of branches. */
struct row_branches *row_branches_create(const struct hist *hist);
void row_branches_destroy(struct row_branches *branches);

/* Prepares for the tree of another row. */
void row_branches_clear(struct row_branches *branches);

/* Notes that frame `stack` of a sample (a node of the profile's stacks) is at `node` of the tree. */
void row_branches_take(struct row_branches *branches, const struct profile_sample *sample, uint32_t stack,
		       uint32_t node);

/*
 * The remark for a node of the tree; NULL if no branch leads there or comes from there. Valid until the next
 * row_branches_take().
 */
const struct branch_remark *row_branches_at(const struct row_branches *branches, uint32_t node);

/*
 * The node at which the path of a sample ends: the last branch, because the sampled instruction is the row
 * itself; the leaf if it has callers but no branches; PROFILE_NONE if it has neither.
 */
uint32_t row_branches_innermost(const struct row_branches *branches, const struct profile_sample *sample);

#endif
