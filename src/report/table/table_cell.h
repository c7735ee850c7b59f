#ifndef XPROF_REPORT_TABLE_TABLE_CELL_H
#define XPROF_REPORT_TABLE_TABLE_CELL_H

/* Writes the key columns of a table: names, threads, addresses, as in perf report. */

#include "report/rows/hist.h"
#include "report/view/view.h"

enum { TABLE_CELL_ADDRESS_COLUMNS = 4 + 2 + 16 }; /* "[.] ", "0x" and the digits of an unknown function */

struct cell_context {
	const struct view_input *input;
	const struct hist *hist;
	bool verbose; /* whole paths of DSOs */
	bool packed;  /* numbers without padding */
};

/* Appends the row's value in a key column. A function's name is cut to `columns` (SIZE_MAX: not cut). */
void table_cell_add(struct strbuf *cell, const struct cell_context *context, const struct hist_row *row,
		    enum column column, size_t columns);

#endif
