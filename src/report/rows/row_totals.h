#ifndef XPROF_REPORT_ROWS_ROW_TOTALS_H
#define XPROF_REPORT_ROWS_ROW_TOTALS_H

/*
 * Totals of rows with everything they called: each row that is among the frames of a sample gets the sample
 * once, however many of the frames are its own.
 *
 * Samples come in the order of their stacks (stack_ranks.h): the calls of one stack stay open for the next ones, which
 * differ from it in the last calls only, and a call's row gets the sum of its samples when it is left.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct row_total {
	uint64_t count, weight;
	uint32_t height;       /* the greatest of its calls' */
	uint32_t open;         /* of its calls */
	uint32_t first_sample; /* UINT32_MAX: none */
};

struct open_call {
	uint64_t count, weight; /* of what has been sampled in it and in the calls from it that were left */
	uint32_t row;
	uint32_t rank; /* of its node */
	uint32_t height;
	uint32_t first_sample;
};

struct row_totals {
	struct row_total *rows; /* as many as the greatest number of a row demands */
	size_t row_count, row_capacity;
	struct open_call *calls; /* the outermost first */
	size_t call_count, call_capacity;
	bool heights_from_leaf;
};

struct row_sample {
	uint64_t count, weight;
	uint32_t number;
};

/*
 * The height of a call is its number of callers and itself; with `heights_from_leaf`: the most calls that it leads to
 * and itself.
 */
void row_totals_init(struct row_totals *totals, bool heights_from_leaf);
void row_totals_fini(struct row_totals *totals);

/* Leaves the calls behind the one of a rank; all of them when there is none. */
void row_totals_leave(struct row_totals *totals, uint32_t rank);
/* A call from the innermost one that is open. */
void row_totals_enter(struct row_totals *totals, uint32_t rank, uint32_t row);

/* A sample in the innermost call that is open. Its leaf's row need not be the call's, and gets the sample as well. */
void row_totals_add(struct row_totals *totals, uint32_t leaf_row, const struct row_sample *sample);

#endif
