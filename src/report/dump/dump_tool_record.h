#ifndef XPROF_REPORT_DUMP_DUMP_TOOL_RECORD_H
#define XPROF_REPORT_DUMP_DUMP_TOOL_RECORD_H

/* The fields of perf's own records (64 and above). */

#include "format/event.h"
#include "report/dump/dump_out.h"

/* 0, also for types that are not known; -1 with err when the record does not hold what its type demands. */
int dump_tool_record(struct dump_out *out, const struct event *event, struct error *err);

#endif
