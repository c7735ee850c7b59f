#ifndef XPROF_REPORT_FLAME_FLAME_DIFF_H
#define XPROF_REPORT_FLAME_FLAME_DIFF_H

/*
 * How a flame graph differs from one before: for each call path, and for each
 * function, what share it had, and whether the difference is more than chance
 * (compare.h). Shares are compared, not sums, for two recordings hardly ever have
 * as many samples. Paths that only the graph before has are in none of the frames.
 */

#include <stdbool.h>

#include "profile/call_tree.h"
#include "profile/compare.h"
#include "report/flame/flame_times.h"

struct flame_change {
	double before;           /* share, 0 to 1 */
	double delta, low, high; /* after - before, and its interval */
	bool differs;            /* by more than chance, among all of its kind */
};

/* By key: a function of that name, by itself and with what it called. */
struct flame_function_change {
	uint32_t key;
	struct flame_change self, total;
};

struct flame_diff {
	struct flame_change *changes; /* by node of the tree */
	uint64_t *before;             /* by node: weight of the same path before; 0: there was none */
	uint64_t before_total, total;
	struct flame_function_change *functions;
	size_t function_count;
};

/* One of the two graphs; keys of both mean the same. */
struct flame_diff_side {
	const struct call_tree *tree;
	const struct flame_times *times;
	const uint32_t *places; /* by node that the times know: the tree's; NULL: the same */
};

void flame_diff_init(struct flame_diff *diff, const struct flame_diff_side *before,
		     const struct flame_diff_side *after);
void flame_diff_fini(struct flame_diff *diff);

/* Share before in percent, and by how many points a node's share is larger now. */
double flame_diff_before(const struct flame_diff *diff, uint32_t node);
double flame_diff_points(const struct flame_diff *diff, uint32_t node);

/*
 * As flame.css calls it: "p3" (much more) to "p0", "z0" (less than 0.05 points, or chance), "m0" to "m3";
 * flame_model.js does the same.
 */
void flame_diff_class(char class_name[3], double points, bool differs);

#endif
