#ifndef XPROF_REPORT_DUMP_ATTR_TEXT_H
#define XPROF_REPORT_DUMP_ATTR_TEXT_H

/*
 * Describes an event as perf evlist -v ("type: 1, size: 128, ...") and the header of perf report ("type = 1,
 * size = 128, ...") do. Members that are 0 are left out.
 */

#include "base/strbuf.h"
#include "format/perf_attr.h"

/* Appends each member as ", NAME" `equals` "VALUE". */
void attr_text_add(struct strbuf *out, const struct perf_attr *attr, const char *equals);

#endif
