#ifndef XPROF_REPORT_DUMP_DUMP_KERNEL_RECORD_H
#define XPROF_REPORT_DUMP_DUMP_KERNEL_RECORD_H

/* The fields of the kernel's records, samples aside: enum perf_event_type, linux/perf_event.h. */

#include "format/event.h"
#include "report/dump/dump_out.h"

/* -1 with err when the record does not hold what its type demands. `attr` may be NULL: no event is known. */
int dump_kernel_record(struct dump_out *out, const struct event *event, const struct perf_attr *attr,
		       struct error *err);

/* Is it a record that dump_kernel_record() knows? */
bool dump_knows_kernel_record(uint32_t type);

#endif
