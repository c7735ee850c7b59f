#ifndef XPROF_REPORT_TABLE_VIEW_JSON_H
#define XPROF_REPORT_TABLE_VIEW_JSON_H

/*
 * The whole report for programs: one JSON object, described in src/report/README.md.
 * Sums are integers, addresses hexadecimal strings, and the figures those of the
 * table with the same options.
 */

#include "report/rows/column.h"
#include "report/view/view.h"

struct json_options {
	struct layout layout; /* its keys make the rows */
	bool children;
	double percent_limit;
	unsigned top; /* rows an event; 0: all */
};

enum { JSON_SCHEMA_VERSION = 1 }; /* changes when something that is there changes; additions do not count */

#endif
