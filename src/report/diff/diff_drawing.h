#ifndef XPROF_REPORT_DIFF_DIFF_DRAWING_H
#define XPROF_REPORT_DIFF_DIFF_DRAWING_H

/*
 * Writes the output of a diff: a header and a table for each pair of events, the same as JSON, or the folded
 * stacks of the first pair.
 */

#include "report/diff/diff_events.h"
#include "report/diff/diff_options.h"
#include "report/view/view.h"

struct diff_drawing {
	const struct diff_options *options; /* `json` and `folded` choose the format */
	unsigned keys;                      /* a set of enum diff_key; rows differ in these */
	struct diff_recordings *sides;    /* array of COMPARE_SIDES, open; their chosen events are changed */
	const struct diff_events *events; /* pairs of events of the sides */
	struct filter filter;             /* for both sides */
	bool children;                    /* show totals with callees; there are call chains */
	bool terminal; /* output is a terminal: few rows, unless the options say how many */
	struct canvas canvas;
};

/*
 * Appends the output. Returns 0, or -1 with err if the sides cannot be compared this way; then discard `out`.
 */
int diff_drawing_add(struct strbuf *out, const struct diff_drawing *drawing, struct error *err);

#endif
