#ifndef XPROF_REPORT_TABLE_VIEW_JSON_H
#define XPROF_REPORT_TABLE_VIEW_JSON_H

/*
 * The whole report for programs: one JSON object, described in src/report/table/README.md. Sums are integers,
 * addresses hexadecimal strings. The numbers are those of the table with the same options.
 */

#include "report/rows/column.h"
#include "report/view/view.h"

struct json_options {
	struct layout layout; /* rows have its keys */
	bool children;
	double percent_limit;
	unsigned top; /* rows per event; 0: all */
};

enum { JSON_SCHEMA_VERSION = 1 }; /* changes when existing members change, not when members are added */

#endif
