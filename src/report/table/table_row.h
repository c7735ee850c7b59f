#ifndef XPROF_REPORT_TABLE_TABLE_ROW_H
#define XPROF_REPORT_TABLE_TABLE_ROW_H

/* The state of a table while it is drawn, and the lines of its rows. */

#include "report/table/table_cell.h"
#include "report/table/table_options.h"
#include "report/view/view.h"

enum { TABLE_LAST_DOTS = 88 }; /* most dots below the last heading, as template names can be very long */

struct table {
	const struct view_input *input;
	const struct table_options *options;
	struct hist hist;
	struct cell_context context;
	struct strbuf *out;
	/* columns of the layout, without those that have the same text in each row */
	struct column_list outputs;
	size_t widths[COLUMN_COUNT]; /* by column */
	uint32_t event;              /* the event that is drawn */
	enum column last;            /* the last output column, which is not padded */
	struct strbuf cell;          /* scratch */
};

/* The heading of a column; NULL if it is a tracepoint field that the event lacks. */
const char *table_row_heading(const struct table *table, enum column column);

/* Is the column right-aligned? Fields of tracepoints are, as in perf. */
bool table_row_is_right_aligned(enum column column);

/* Append a share or a sum of a row, or one of its keys, padded to the width of the column. */
void table_row_add_sum(struct table *table, const struct hist_row *row, enum column column);
void table_row_add_key(struct table *table, const struct hist_row *row, enum column column);

/* Appends the line of row `number` of the hist. */
void table_row_add(struct table *table, uint32_t number);

#endif
