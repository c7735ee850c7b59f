#ifndef XPROF_REPORT_DIFF_VIEW_DIFF_JSON_H
#define XPROF_REPORT_DIFF_VIEW_DIFF_JSON_H

/* A diff as JSON, all rows with all that is known of them: see the README for its members. */

#include "report/diff/view_diff.h"
#include "text/json_writer.h"

enum { DIFF_JSON_VERSION = 1 };

/* Of one event: an element of "events". */
void view_diff_json_add_event(struct json_writer *json, const struct diff_table_options *options);

#endif
