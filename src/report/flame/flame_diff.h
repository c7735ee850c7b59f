#ifndef XPROF_REPORT_FLAME_FLAME_DIFF_H
#define XPROF_REPORT_FLAME_FLAME_DIFF_H

/*
 * Compares a flame graph with an earlier one: for each call path and each function, its earlier share, and whether the
 * difference is more than chance (compare.h). Shares are compared, not sums, because two recordings rarely have the same number
 * of samples. Paths that only the earlier graph has are left out.
 */

#include <stdbool.h>

#include "profile/call_tree.h"
#include "profile/compare.h"
#include "report/flame/flame_times.h"

struct flame_change {
	double before;           /* share, 0 to 1 */
	double delta, low, high; /* after - before, and its interval */
	bool differs;            /* by more than chance, given the number of comparisons */
};

/* The change of a function (a key), by itself and with its callees. */
struct flame_function_change {
	uint32_t key;
	struct flame_change self, total;
};

struct flame_diff {
	struct flame_change *changes; /* by node of the tree */
	uint64_t *before;             /* by node: earlier weight of the same path; 0: it did not exist */
	uint64_t before_total, total;
	struct flame_function_change *functions;
	size_t function_count;
};

/* One of the two graphs. Equal keys mean the same in both. */
struct flame_diff_side {
	const struct call_tree *tree;
	const struct flame_times *times;
	const uint32_t *places; /* by node number in `times`: the tree's node; NULL: the numbers are equal */
};

void flame_diff_init(struct flame_diff *diff, const struct flame_diff_side *before,
		     const struct flame_diff_side *after);
void flame_diff_fini(struct flame_diff *diff);

/* The earlier share of a node in percent, and by how many percentage points the share has grown. */
double flame_diff_before(const struct flame_diff *diff, uint32_t node);
double flame_diff_points(const struct flame_diff *diff, uint32_t node);

/*
 * The class in flame.css: "p3" (much more) to "p0", "z0" (less than 0.05 points, or chance), "m0" to "m3". flame_model.js
 * computes the same.
 */
void flame_diff_class(char class_name[3], double points, bool differs);

#endif
