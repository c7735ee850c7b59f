#ifndef XPROF_RECORD_FACILITY_REPORT_H
#define XPROF_RECORD_FACILITY_REPORT_H

/* 'xprof record --probe': the answers of facilities.h as lines, each lack with what it costs and what helps. */

#include "base/strbuf.h"
#include "record/machine/facilities.h"

/* "yes  NAME: VALUE" or "no   NAME: what it costs" for each facility, with a newline. */
void facility_report_add(struct strbuf *out, const struct facilities *facilities);

#endif
