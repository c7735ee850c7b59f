#ifndef XPROF_REPORT_FLAME_FLAME_RENAME_H
#define XPROF_REPORT_FLAME_FLAME_RENAME_H

/*
 * Renames the frames of two graphs, before and after, so that names mean the same in both. Programs and libraries get their
 * later names. Functions without names stay separate only if they can be identified by their offsets (dso_builds.h).
 */

#include "profile/dso_builds.h"
#include "profile/name_pairs.h"
#include "report/flame/flame_graph.h"

/* Adds the pairs that can be found in two trees of the same graph: lowest frames, which usually are commands, and files. */
void flame_rename_find(struct name_pairs *pairs, const struct flame_graph *graph,
		       const struct call_tree *before, const struct call_tree *after);

struct flame_names {
	const struct name_pairs *pairs;
	const struct dso_builds *builds;
	int side; /* side of the tree: COMPARE_BEFORE or COMPARE_AFTER */
};

/*
 * Returns a new tree with these names, which the caller destroys. Stores in `places`, which has room for one more than the
 * nodes of `tree`, the new node of each node.
 */
struct call_tree *flame_rename(struct flame_graph *graph, const struct flame_names *names,
			       const struct call_tree *tree, uint32_t *places);

#endif
