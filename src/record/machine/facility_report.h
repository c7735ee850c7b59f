#ifndef XPROF_RECORD_FACILITY_REPORT_H
#define XPROF_RECORD_FACILITY_REPORT_H

/* 'xprof record --probe': prints facilities.h, with the cost of each missing facility and its remedy. */

#include "base/strbuf.h"
#include "record/machine/facilities.h"

/* Appends a line for each facility: "yes  NAME: VALUE" or "no   NAME: what it costs". */
void facility_report_add(struct strbuf *out, const struct facilities *facilities);

#endif
