#ifndef XPROF_REPORT_DUMP_DUMP_RECORD_H
#define XPROF_REPORT_DUMP_DUMP_RECORD_H

/* One record: where it is, what it is, its fields. */

#include "format/perf_file.h"
#include "report/dump/dump_out.h"

/*
 * A whole entry. `raw` adds the record's bytes. 0, or -1 with err when the record
 * is damaged; the entry then ends with what is wrong.
 */
int dump_record(struct dump_out *out, const struct perf_file *file, const struct event *event, bool raw,
		struct error *err);

/* The same result, and nothing is added to `out`. */
int dump_record_check(struct dump_out *out, const struct perf_file *file, const struct event *event,
		      struct error *err);

/* As event_type_name(), and simpleperf's own. */
const char *dump_record_name(uint32_t type, char buffer[static 24]);

#endif
