#ifndef XPROF_REPORT_FLAME_FLAME_RENAME_H
#define XPROF_REPORT_FLAME_FLAME_RENAME_H

/*
 * One of two graphs, before and now, with names that mean the same in both: programs and libraries are called what they
 * are called now, and functions without a name stay apart only where they can be told by their offsets (dso_builds.h).
 */

#include "profile/dso_builds.h"
#include "profile/name_pairs.h"
#include "report/flame/flame_graph.h"

/*
 * Adds the pairs that can be found in both trees, of the same graph: what stands lowest, as a rule the command, and
 * files.
 */
void flame_rename_find(struct name_pairs *pairs, const struct flame_graph *graph,
		       const struct call_tree *before, const struct call_tree *after);

struct flame_names {
	const struct name_pairs *pairs;
	const struct dso_builds *builds;
	int side; /* of the tree: COMPARE_BEFORE or COMPARE_AFTER */
};

/*
 * A new tree with those names. `places` (one more than the tree has nodes) gets where each node of `tree` has gone.
 * The caller destroys it.
 */
struct call_tree *flame_rename(struct flame_graph *graph, const struct flame_names *names,
			       const struct call_tree *tree, uint32_t *places);

#endif
