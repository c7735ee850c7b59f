#ifndef XPROF_REPORT_DIFF_VIEW_DIFF_H
#define XPROF_REPORT_DIFF_VIEW_DIFF_H

/*
 * A diff as a table, in perf diff's layout: baseline, difference, then the keys; with the confidence interval
 * of each difference, and columns with callees. Rows whose difference may be chance are counted in a line, or
 * marked "~"; so are rows that may differ as much between runs of the same program, marked "?".
 */

#include "report/diff/diff_number.h"
#include "report/view/view.h"
#include "text/json_writer.h"

struct diff_table_options {
	struct diff_result *result; /* not const: looking up callers changes its diff */
	struct profile_diff *diff;
	struct diff_number number;
	const char *event[COMPARE_SIDES];
	unsigned keys;      /* enum diff_key */
	bool children;      /* columns with callees */
	bool all;           /* also rows whose difference may be chance */
	bool callers;       /* below each row, the callers that changed */
	bool period;        /* columns of the recorded sums */
	bool baseline_only; /* only rows with a baseline */
	bool quiet;
	char separator; /* 0: aligned */
	unsigned top;   /* 0: all */
	struct canvas canvas;
};

/* Does every view show this row? With baseline_only, rows without a baseline are left out. */
bool view_diff_has(const struct diff_table_options *options, const struct diff_line *line);

void view_diff_render(const struct diff_table_options *options, struct strbuf *out);

enum { DIFF_JSON_VERSION = 1 };

/* The same as JSON, with all rows and values (the README lists the members): adds the element of "events" for one event. */
void view_diff_json_add_event(struct json_writer *json, const struct diff_table_options *options);

#endif
