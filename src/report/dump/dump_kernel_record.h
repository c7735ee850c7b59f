#ifndef XPROF_REPORT_DUMP_DUMP_KERNEL_RECORD_H
#define XPROF_REPORT_DUMP_DUMP_KERNEL_RECORD_H

/* Writes the fields of the kernel's records except samples: enum perf_event_type, linux/perf_event.h. */

#include "format/event.h"
#include "report/dump/dump_out.h"

/*
 * Returns 0, or -1 with err if the record is too small for its type. `attr` is NULL if the event is unknown.
 */
int dump_kernel_record(struct dump_out *out, const struct event *event, const struct perf_attr *attr,
		       struct error *err);

/* Does dump_kernel_record() know records of this type? */
bool dump_knows_kernel_record(uint32_t type);

#endif
