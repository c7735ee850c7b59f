#ifndef XPROF_REPORT_DUMP_DUMP_TOOL_RECORD_H
#define XPROF_REPORT_DUMP_DUMP_TOOL_RECORD_H

/* Writes the fields of perf's own records (types from 64 on). */

#include "format/event.h"
#include "report/dump/dump_out.h"

/* Returns 0, also for unknown types, or -1 with err if the record is too small for its type. */
int dump_tool_record(struct dump_out *out, const struct event *event, struct error *err);

#endif
