#ifndef XPROF_REPORT_TABLE_TABLE_OPTIONS_H
#define XPROF_REPORT_TABLE_TABLE_OPTIONS_H

#include "report/rows/column.h"
#include "report/rows/row_graph.h"
#include "report/waits/wait_times.h"

/* Of the table, of JSON and of histograms, which have no use for some of them. */
struct table_options {
	struct layout layout;
	struct row_graph_options graph;
	bool children;
	bool hierarchy;                /* see table_tree.h */
	const char *time_text;         /* argument of --time; NULL: everything */
	bool quiet;                    /* rows only */
	bool verbose;                  /* whole paths of DSOs */
	const uint32_t *column_widths; /* --column-widths, of the first columns */
	size_t column_width_count;
	char separator;                      /* -t, between columns; 0: columns are aligned */
	double percent_limit;                /* rows with less than this are left out */
	unsigned top;                        /* rows per event; 0: all */
	const struct wait_times *wait_times; /* of histograms: durations of the profile's samples, finished */
};

#endif
