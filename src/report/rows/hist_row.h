#ifndef XPROF_REPORT_ROWS_HIST_ROW_H
#define XPROF_REPORT_ROWS_HIST_ROW_H

/* The members of a hist and its rows (hist.h). */

#include "profile/filter.h"
#include "profile/frame_table.h"
#include "report/rows/column.h"
#include "report/rows/source_text.h"

struct hist_row {
	uint32_t keys[MAX_KEYS]; /* in the order of layout.keys: string, id, frame or cpu; PROFILE_NONE: unknown */
	uint32_t thread;         /* of the first sample */
	uint32_t height;         /* frames of the longest path in the row's graph */
	uint32_t first_hit;      /* HIST_NO_HIT: none kept */
	uint64_t self_count, self_weight;
	uint64_t total_count, total_weight;
	uint64_t kernel_weight, user_weight; /* of self_weight: by where the leaf is */
};

#define HIST_NO_HIT UINT32_MAX

/* One sample in one row: where the row's part of the sample's stack begins. */
struct hist_hit {
	uint32_t sample;
	uint32_t stack; /* the row's own node; PROFILE_NONE for the leaf, whose graph shows the whole stack */
	uint32_t next;
};

enum call_order {
	CALL_ORDER_CALLEE,
	CALL_ORDER_CALLER
}; /* what a graph begins with: the leaf, or the root */

/* Selects rows to show among those with samples; hidden rows stay in the totals. */
struct row_choice {
	const char *symbol_part; /* only of functions with this in their names; NULL: all */
	bool named_only;         /* only of functions that have names, where rows are of functions */
};

struct hist_options {
	const struct layout *layout;
	bool children;
	bool relative;
	bool keep_hits;      /* for call graphs */
	bool callers_on_top; /* among rows of equal totals; perf does so when it draws graphs */
	enum call_order order;
	const struct source_texts *sources; /* where the layout has such columns */
	const uint32_t
		*parents; /* by node of the profile's stacks: a string, or PROFILE_NONE; for COLUMN_PARENT */
	const struct sample_keys *keys; /* the samples', where the layout has columns of them; else NULL */
	struct row_choice rows;
};

struct hist {
	const struct profile *profile;
	const struct frame_table *frames;
	struct hist_options options;
	struct hist_row *rows; /* ordered */
	uint32_t row_count;
	struct hist_hit *hits;              /* newest first in each row */
	uint64_t count, weight;             /* of samples that count */
	uint64_t shown_count, shown_weight; /* of those that pass the filter */
};

#endif
