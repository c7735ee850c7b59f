#ifndef XPROF_REPORT_TABLE_VIEW_HISTOGRAM_H
#define XPROF_REPORT_TABLE_VIEW_HISTOGRAM_H

/* xprof report --histogram: how long waits were, of all that is selected and then of each row. */

#include "report/rows/column.h"
#include "report/view/view.h"
#include "report/waits/wait_times.h"

struct histogram_options {
	struct layout layout;           /* its keys make the rows */
	const struct wait_times *times; /* of the profile's samples; finished */
	double percent_limit;           /* rows below are left out */
	unsigned top;                   /* rows, behind the whole; 0: all */
	bool verbose;                   /* whole paths of DSOs */
};

/* The selection is of the event of time off the CPU, or of one that it was joined to. */
extern const struct view view_histogram; /* struct histogram_options */

#endif
