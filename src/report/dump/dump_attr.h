#ifndef XPROF_REPORT_DUMP_DUMP_ATTR_H
#define XPROF_REPORT_DUMP_DUMP_ATTR_H

/* An event's attribute as fields; what is 0 is left out, as perf evlist -v does. */

#include "format/perf_attr.h"
#include "report/dump/dump_out.h"

void dump_attr(struct dump_out *out, const struct perf_attr *attr);

#endif
