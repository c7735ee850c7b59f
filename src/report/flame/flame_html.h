#ifndef XPROF_REPORT_FLAME_FLAME_HTML_H
#define XPROF_REPORT_FLAME_FLAME_HTML_H

/*
 * A flame graph as one HTML page that holds all stacks and draws what its window
 * shows, so that a million frames stay fluid. Nothing is left out: `min_width_px`
 * is for pictures, the page decides with every zoom.
 *
 * Data for the page's script (flame_model.js is the other side):
 *
 *	{ "title", "unit", "inverted", "reversed", "palette", "about": [lines], "kinds": [names],
 *	  "weigh": "period" or "samples", "by": [words of --by], "trust": { numbers of samples },
 *	  "command": [[option, value], ...] of the xprof report that reads the same samples, or null,
 *	  "dsos": [names], "frames": [[name, number of its DSO, kind * 4 + shade], ...],
 *	  "scale": what weights are to be multiplied by, "nodes": "...",
 *	  "before_total", "before": "..." where there is something to compare with,
 *	  what flame_samples.h says where samples are known, and flame_blocks.h where branches were recorded }
 *
 * "nodes" are numbers as flame_numbers.h has them. Four a node, callers before
 * what they call, largest first: how many levels its parent is above the node
 * before (0: that is the parent); frame; samples that ended here; and, if there
 * are any, their weight. "before" has one number a node: what its
 * path weighed before.
 */

#include "report/flame/flame_page.h"

void flame_html_render(const struct flame_page *page, struct strbuf *out);

#endif
