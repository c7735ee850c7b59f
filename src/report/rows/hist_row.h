#ifndef XPROF_REPORT_ROWS_HIST_ROW_H
#define XPROF_REPORT_ROWS_HIST_ROW_H

/* The members of a hist and its rows (hist.h), and the steps of hist_init(). */

#include "profile/filter.h"
#include "profile/frame_table.h"
#include "report/rows/column.h"
#include "report/rows/source_text.h"

struct hist_row {
	/* in the order of layout.keys: a string, id, frame or CPU; PROFILE_NONE: unknown */
	uint32_t keys[MAX_KEYS];
	uint32_t thread;    /* of the first sample */
	uint32_t height;    /* frames of the longest path in the row's graph */
	uint32_t first_hit; /* HIST_NO_HIT: none */
	uint64_t self_count, self_weight;
	uint64_t total_count, total_weight;
	uint64_t kernel_weight, user_weight; /* parts of self_weight, by the leaf's mode */
};

#define HIST_NO_HIT UINT32_MAX

/* A sample of a row, with the place in its stack that belongs to the row. */
struct hist_hit {
	uint32_t sample;
	uint32_t stack; /* the node of the row; PROFILE_NONE for the leaf, whose graph shows the whole stack */
	uint32_t next;  /* next hit of the row; HIST_NO_HIT: the last */
};

enum call_order { CALL_ORDER_CALLEE, CALL_ORDER_CALLER }; /* a graph begins with the leaf, or with the root */

/* Selects rows to show among those with samples; hidden rows stay in the totals. */
struct row_choice {
	const char *symbol_part; /* only functions with this text in their names; NULL: all */
	bool named_only;         /* only functions that have names, if rows are functions */
};

struct hist_options {
	const struct layout *layout;
	bool children;
	bool relative;
	bool keep_hits;      /* for call graphs */
	bool callers_on_top; /* callers first among rows of equal totals, as perf does with graphs */
	enum call_order order;
	const struct source_texts *sources; /* for columns of source files and lines; else NULL */
	/* for COLUMN_PARENT: a string for each node of the profile's stacks, or PROFILE_NONE; else NULL */
	const uint32_t *parents;
	const struct sample_keys *keys; /* for columns of sample keys; else NULL */
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

/* The row's value of a key; PROFILE_NONE when it is unknown, or not among the layout's keys. */
uint32_t hist_row_key(const struct hist *hist, const struct hist_row *row, enum column column);

/* The row's text in a column of sample keys; "" if it has none. */
const char *hist_row_text(const struct hist *hist, const struct hist_row *row, enum column column);

/*
 * Sets `rows`, `hits` and the sums of a hist whose profile, frames and options are set, from the samples of
 * one event (PROFILE_NONE: of all) that pass the filter: each row that is among the frames of a sample gets
 * the sample once. The rows are not sorted yet.
 */
void hist_rows_add(struct hist *hist, uint32_t event, const struct filter *filter);

/* Orders hist->rows as perf's comparisons do: by the layout's `sorts`, the first column first. */
void row_order_sort(struct hist *hist);

/* Compares two rows by one column: < 0 if a comes first, 0 if equal, > 0 if b comes first. */
int row_order_compare(const struct hist *hist, enum column column, const struct hist_row *a,
		      const struct hist_row *b);

#endif
