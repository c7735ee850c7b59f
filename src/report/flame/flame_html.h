#ifndef XPROF_REPORT_FLAME_FLAME_HTML_H
#define XPROF_REPORT_FLAME_FLAME_HTML_H

/*
 * A flame graph as one HTML page, which contains all stacks and draws what fits its window, so that a million frames stay
 * fluid. Nothing is left out: `min_width_px` is for pictures; the page decides at every zoom.
 *
 * The data for the page's script, read by flame_model.js:
 *
 *	{ "title", "unit", "inverted", "reversed", "palette", "about": [lines], "kinds": [names],
 *	  "weigh": "period" or "samples", "by": [words of --by], "trust": { numbers of samples },
 *	  "command": [[option, value], ...] of the xprof report that reads the same samples, or null,
 *	  "dsos": [names], "frames": [[name, number of its DSO, kind * 4 + shade], ...],
 *	  "scale": factor of all weights, "nodes": "...",
 *	  "before_total", "before": "..." if there is an earlier graph,
 *	  members of flame_samples.h if samples are known, and of flame_blocks.h if branches were recorded }
 *
 * "nodes" are numbers encoded as in flame_numbers.h. Each node has four, callers before their callees, the largest first: how
 * many levels its parent is above the previous node (0: the parent is the previous node); its frame; the number of samples that
 * ended there; and, if there are any, their weight. "before" has one number per node: the earlier weight of its path.
 */

#include "report/flame/flame_page.h"

void flame_html_render(const struct flame_page *page, struct strbuf *out);

#endif
