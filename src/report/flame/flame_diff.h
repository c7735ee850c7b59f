#ifndef XPROF_REPORT_FLAME_FLAME_DIFF_H
#define XPROF_REPORT_FLAME_FLAME_DIFF_H

/*
 * How a flame graph differs from one before: for each call path, what share it
 * had. Shares are compared, not sums, for two recordings hardly ever have as many
 * samples. Paths that only the graph before has are in none of the frames.
 */

#include "profile/call_tree.h"

struct flame_diff {
	uint64_t *before; /* by node of the tree: weight of the same path before; 0: there was none */
	uint64_t before_total, total;
};

/* Keys of both trees must mean the same. */
void flame_diff_init(struct flame_diff *diff, const struct call_tree *tree, const struct call_tree *before);
void flame_diff_fini(struct flame_diff *diff);

/* Share before in percent, and by how many points a node's share is larger now. */
double flame_diff_before(const struct flame_diff *diff, uint32_t node);
double flame_diff_points(const struct flame_diff *diff, const struct call_tree *tree, uint32_t node);

/* As flame.css calls it: "p3" (much more) to "p0", "z0" (below 0.05 points), "m0" to "m3"; flame_html.js does the same. */
void flame_diff_class(char class_name[3], double points);

#endif
