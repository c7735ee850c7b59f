#ifndef XPROF_REPORT_ROWS_BRANCH_REMARK_H
#define XPROF_REPORT_ROWS_BRANCH_REMARK_H

/*
 * Remarks on the branches that led to a frame of a call graph, or came from it, in the words of perf:
 *
 *     |--12.34%--inner main.c:12 (COND_BWD predicted:87.5%)        where branches led to
 *     |          inner main.c:17 (cycles:12 iter:3 avg_cycles:40)  where they came from
 */

#include "base/strbuf.h"
#include "profile/branch_marks.h"

/* Sums over samples; all zero: empty. */
struct branch_remark {
	uint64_t to, predicted, aborted; /* branches that led to the frame */
	uint32_t kinds;                  /* bit n: some of them are of kind n */
	bool forward, backward;          /* some of the conditional ones lead forward, or backward */
	bool crosses_4k, crosses_2m;     /* only of branches of known kind */
	uint64_t from, cycles, iterations, iteration_cycles; /* branches that came from it */
};

/*
 * Add a mark of a branch that led to the frame, or came from it. `count`: number of samples with that mark.
 */
void branch_remark_take_to(struct branch_remark *remark, const struct branch_mark *mark, uint64_t count);
void branch_remark_take_from(struct branch_remark *remark, const struct branch_mark *mark, uint64_t count);

/* Appends a blank and the remark; nothing if it is empty. */
void branch_remark_add_text(struct strbuf *out, const struct branch_remark *remark);

#endif
