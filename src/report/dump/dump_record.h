#ifndef XPROF_REPORT_DUMP_DUMP_RECORD_H
#define XPROF_REPORT_DUMP_DUMP_RECORD_H

/* Writes one record: its offset, type and fields. */

#include "format/perf_file.h"
#include "report/dump/dump_out.h"

/*
 * Writes an entry. `raw` adds the record's bytes. Returns 0, or -1 with err if the record is damaged;
 * the entry then ends with the error.
 */
int dump_record(struct dump_out *out, const struct perf_file *file, const struct event *event, bool raw,
		struct error *err);

/* Returns the same without adding anything to `out`. */
int dump_record_check(struct dump_out *out, const struct perf_file *file, const struct event *event,
		      struct error *err);

/* As event_type_name(), with simpleperf's types, too. */
const char *dump_record_name(uint32_t type, char buffer[static 24]);

#endif
