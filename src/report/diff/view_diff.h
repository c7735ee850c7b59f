#ifndef XPROF_REPORT_DIFF_VIEW_DIFF_H
#define XPROF_REPORT_DIFF_VIEW_DIFF_H

/*
 * A diff as a table, in perf diff's layout: baseline, difference, then the
 * keys; with the interval of each difference, and what its callees add. Rows whose
 * difference may be chance are summed up in a line, or marked "~", and so are those by which
 * runs of the same program may differ ("?").
 */

#include "report/diff/diff_number.h"
#include "report/view/view.h"

struct diff_table_options {
	struct diff_result *result; /* not const: callers are looked up in its diff */
	struct profile_diff *diff;
	struct diff_number number;
	const char *event[COMPARE_SIDES];
	unsigned keys;      /* enum diff_key */
	bool children;      /* columns of what is called */
	bool all;           /* rows that may be chance, too */
	bool callers;       /* below each row, who calls it more or less often */
	bool period;        /* columns of sums as they were recorded */
	bool baseline_only; /* rows that were there before */
	bool quiet;
	char separator; /* 0: aligned */
	unsigned top;   /* 0: all */
	struct canvas canvas;
};

/* Does every view show this row? With baseline_only, rows without a baseline are left out. */
bool view_diff_has(const struct diff_table_options *options, const struct diff_line *line);

void view_diff_render(const struct diff_table_options *options, struct strbuf *out);

#endif
