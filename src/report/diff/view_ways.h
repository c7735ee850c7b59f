#ifndef XPROF_REPORT_DIFF_VIEW_WAYS_H
#define XPROF_REPORT_DIFF_VIEW_WAYS_H

/* Shows the comparison of unwind_ways.h in sentences and tables, or as JSON. */

#include "report/diff/unwind_ways.h"
#include "text/json_writer.h"

struct ways_view_options {
	const struct unwind_ways *ways;
	struct way_names names;
	const char *path; /* of the recording */
	unsigned top;     /* rows of a table; 0: all */
	bool quiet;       /* tables only */
};

enum { WAYS_JSON_VERSION = 1 };

void view_ways_render(const struct ways_view_options *options, struct strbuf *out);
void view_ways_render_json(const struct ways_view_options *options, struct strbuf *out);

#endif
