#ifndef XPROF_REPORT_DUMP_ATTR_TEXT_H
#define XPROF_REPORT_DUMP_ATTR_TEXT_H

/* An event as perf evlist -v and the header of perf report describe it: ", type = 1, size = 128, ...", without what is 0. */

#include "base/strbuf.h"
#include "format/perf_attr.h"

void attr_text_add(struct strbuf *out, const struct perf_attr *attr);

#endif
