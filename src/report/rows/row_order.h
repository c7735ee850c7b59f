#ifndef XPROF_REPORT_ROWS_ROW_ORDER_H
#define XPROF_REPORT_ROWS_ROW_ORDER_H

/*
 * The order of a hist's rows, as perf's comparisons make it: by the layout's `sorts`, the first column first.
 */

#include "report/rows/hist_row.h"

/* Orders hist->rows. */
void row_order_sort(struct hist *hist);

/* Compares two rows by one column: < 0 if a comes first, 0 if equal, > 0 if b comes first. */
int row_order_compare(const struct hist *hist, enum column column, const struct hist_row *a,
		      const struct hist_row *b);

#endif
