#ifndef XPROF_REPORT_DIFF_DIFF_DRAWING_H
#define XPROF_REPORT_DIFF_DIFF_DRAWING_H

/*
 * Output for the two sides of a diff: a header and a table for each pair of events, the same as JSON, or the
 * folded stacks of the first pair.
 */

#include "report/diff/diff_events.h"
#include "report/diff/diff_options.h"
#include "report/view/view.h"

struct diff_drawing {
	const struct diff_options *options; /* whose `json` and `folded` say which of the three it is */
	unsigned keys;                      /* enum diff_key: what a row is */
	struct diff_recordings
		*sides; /* COMPARE_SIDES of them, open; which of their events is looked at changes */
	const struct diff_events *events; /* of the sides */
	struct filter filter;             /* of both */
	bool children;                    /* there are call chains, and rows with what they call are wanted */
	bool terminal;                    /* few rows, unless the options say how many */
	struct canvas canvas;
};

/* Appends the view. -1: the sides cannot be compared as the options say; what `out` has got then is of no use. */
int diff_drawing_add(struct strbuf *out, const struct diff_drawing *drawing, struct error *err);

#endif
