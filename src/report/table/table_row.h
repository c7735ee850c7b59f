#ifndef XPROF_REPORT_TABLE_TABLE_ROW_H
#define XPROF_REPORT_TABLE_TABLE_ROW_H

/* A table while it is drawn, and its rows. */

#include "report/table/table_cell.h"
#include "report/table/table_options.h"
#include "report/view/view.h"

enum { TABLE_LAST_DOTS = 88 }; /* below the last heading: template names have no end */

struct table {
	const struct view_input *input;
	const struct table_options *options;
	struct hist hist;
	struct cell_context context;
	struct strbuf *out;
	struct column_list outputs;  /* the layout's, but for columns that could say one thing only */
	size_t widths[COLUMN_COUNT]; /* by column */
	uint32_t event;              /* that is drawn */
	enum column last;            /* of the outputs: it is not padded */
	struct strbuf cell;          /* scratch */
};

/* The heading of a column; NULL where the event does not have the field of tracepoints that it shows. */
const char *table_row_heading(const struct table *table, enum column column);

/* As perf has fields of tracepoints: numbers, mostly. */
bool table_row_is_right_aligned(enum column column);

/* Appends a share or a sum of a row, and one of its keys: as wide as the column is. */
void table_row_add_sum(struct table *table, const struct hist_row *row, enum column column);
void table_row_add_key(struct table *table, const struct hist_row *row, enum column column);

/* Appends the line of the hist's row `number`. */
void table_row_add(struct table *table, uint32_t number);

#endif
