#ifndef XPROF_REPORT_TABLE_TABLE_OPTIONS_H
#define XPROF_REPORT_TABLE_TABLE_OPTIONS_H

#include "report/rows/column.h"
#include "report/rows/row_graph.h"

struct table_options {
	struct layout layout;
	struct row_graph_options graph;
	bool children;
	bool hierarchy;                /* see table_tree.h */
	const char *time_text;         /* what --time was; NULL: everything */
	bool quiet;                    /* rows only */
	bool verbose;                  /* whole paths of DSOs */
	const uint32_t *column_widths; /* of the first columns, whatever is in them */
	size_t column_width_count;
	char separator;       /* 0: columns are aligned; else they stand behind each other, this in between */
	double percent_limit; /* rows below are left out */
	unsigned top;         /* rows an event; 0: all */
};

#endif
