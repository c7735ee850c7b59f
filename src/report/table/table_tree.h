#ifndef XPROF_REPORT_TABLE_TABLE_TREE_H
#define XPROF_REPORT_TABLE_TABLE_TREE_H

/*
 * Draws perf's --hierarchy: the rows of a table as a tree, with a level for each key. A row of a level is the
 * sum of all rows of the table with the same keys on this level and the levels above.
 *
 *          Overhead  Command / Shared Object
 *       75.00%        make
 *          50.00%        libc.so.6
 */

#include "report/table/table_row.h"

/* Appends the two lines above the rows. */
void table_tree_add_heading(struct table *table);

/* Appends the rows. Reorders the rows of the hist. */
void table_tree_add_rows(struct table *table);

#endif
