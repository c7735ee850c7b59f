#ifndef XPROF_REPORT_TABLE_TABLE_CELL_H
#define XPROF_REPORT_TABLE_TABLE_CELL_H

/* The texts in the key columns of a table: names, threads, addresses, as perf report writes them. */

#include "report/rows/hist.h"
#include "report/view/view.h"

enum { TABLE_CELL_ADDRESS_COLUMNS = 4 + 2 + 16 }; /* "[.] ", "0x" and the digits of an unknown function */

struct cell_context {
	const struct view_input *input;
	const struct hist *hist;
	bool verbose; /* whole paths of DSOs */
	bool packed;  /* numbers without blanks in front */
};

/* Appends the row's value of a key column; a function's name is made to fit into `columns` (SIZE_MAX: any). */
void table_cell_add(struct strbuf *cell, const struct cell_context *context, const struct hist_row *row,
		    enum column column, size_t columns);

#endif
