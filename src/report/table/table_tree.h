#ifndef XPROF_REPORT_TABLE_TABLE_TREE_H
#define XPROF_REPORT_TABLE_TABLE_TREE_H

/*
 * perf's hierarchy: the rows of a table as a tree, whose levels are its keys. A row of a level stands for all rows of the
 * table that are equal in its keys and in those of the levels above, and has their sums.
 *
 *          Overhead  Command / Shared Object
 *       75.00%        make
 *          50.00%        libc.so.6
 */

#include "report/table/table_row.h"

/* The two lines above the rows. */
void table_tree_add_heading(struct table *table);

/* The rows. Reorders those of the hist. */
void table_tree_add_rows(struct table *table);

#endif
