#ifndef XPROF_REPORT_DIFF_VIEW_DIFF_JSON_H
#define XPROF_REPORT_DIFF_VIEW_DIFF_JSON_H

/* Writes a diff as JSON, with all rows and values: the README lists the members. */

#include "report/diff/view_diff.h"
#include "text/json_writer.h"

enum { DIFF_JSON_VERSION = 1 };

/* Adds the element of "events" for one event. */
void view_diff_json_add_event(struct json_writer *json, const struct diff_table_options *options);

#endif
