#ifndef XPROF_REPORT_TABLE_VIEW_HISTOGRAM_H
#define XPROF_REPORT_TABLE_VIEW_HISTOGRAM_H

/* xprof report --histogram: the durations of waits, for the whole selection and then for each row. */

#include "report/rows/column.h"
#include "report/view/view.h"
#include "report/waits/wait_times.h"

struct histogram_options {
	struct layout layout;           /* rows have its keys */
	const struct wait_times *times; /* durations of the profile's samples, finished */
	double percent_limit;           /* rows with less are left out */
	unsigned top;                   /* number of rows after the whole; 0: all */
	bool verbose;                   /* whole paths of DSOs */
};

/* The selected event must be time off the CPU, or an event that it was joined to. */
extern const struct view view_histogram; /* struct histogram_options */

#endif
