#ifndef XPROF_REPORT_ROWS_ROW_TOTALS_H
#define XPROF_REPORT_ROWS_ROW_TOTALS_H

/*
 * Totals of rows including their callees: each row that is among the frames of a sample gets the sample once,
 * however often it is there.
 *
 * Samples come in the order of their stacks (stack_ranks.h), so consecutive stacks differ only in their last
 * calls. The other calls stay open. When a call is left, its row gets the sum of the samples.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct row_total {
	uint64_t count, weight;
	uint32_t height;       /* the greatest height of its calls */
	uint32_t open;         /* number of its calls that are open */
	uint32_t first_sample; /* UINT32_MAX: none */
};

struct open_call {
	uint64_t count, weight; /* samples in the call and in those of its callees that were left */
	uint32_t row;
	uint32_t rank; /* rank of its node */
	uint32_t height;
	uint32_t first_sample;
};

struct row_totals {
	struct row_total *rows; /* by number of row */
	size_t row_count, row_capacity;
	struct open_call *calls; /* open calls, the outermost first */
	size_t call_count, call_capacity;
	bool heights_from_leaf;
};

struct row_sample {
	uint64_t count, weight;
	uint32_t number;
};

/*
 * The height of a call is the number of its callers plus one; with `heights_from_leaf` it is the length of
 * the longest chain of calls that it leads to, itself included.
 */
void row_totals_init(struct row_totals *totals, bool heights_from_leaf);
void row_totals_fini(struct row_totals *totals);

/* Leaves all calls inside the one of this rank; all calls if none has it. */
void row_totals_leave(struct row_totals *totals, uint32_t rank);
/* Enters a call from the innermost open one. */
void row_totals_enter(struct row_totals *totals, uint32_t rank, uint32_t row);

/*
 * Adds a sample in the innermost open call. `leaf_row` can be another row than the call's, and gets the
 * sample, too.
 */
void row_totals_add(struct row_totals *totals, uint32_t leaf_row, const struct row_sample *sample);

#endif
