#ifndef XPROF_REPORT_FLAME_FLAME_RENAME_H
#define XPROF_REPORT_FLAME_FLAME_RENAME_H

/* The graph before, with the names that programs and libraries have in the graph now. */

#include "profile/name_pairs.h"
#include "report/flame/flame_graph.h"

/*
 * Adds the pairs that can be found in both trees, of the same graph: what stands lowest, as a rule the command, and
 * files.
 */
void flame_rename_find(struct name_pairs *pairs, const struct flame_graph *graph,
		       const struct call_tree *before, const struct call_tree *after);

/*
 * A new tree with later names. `places` (one more than the tree has nodes) gets where each node of `before` has gone.
 * The caller destroys it.
 */
struct call_tree *flame_rename(struct flame_graph *graph, const struct name_pairs *pairs,
			       const struct call_tree *before, uint32_t *places);

#endif
