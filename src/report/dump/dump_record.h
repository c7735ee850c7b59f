#ifndef XPROF_REPORT_DUMP_DUMP_RECORD_H
#define XPROF_REPORT_DUMP_DUMP_RECORD_H

/* Writes one record: its offset, type and fields. The functions further down write the fields of one kind of record. */

#include "format/event.h"
#include "format/perf_file.h"
#include "format/sample.h"
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

/*
 * The kernel's records except samples: enum perf_event_type, linux/perf_event.h. Returns 0, or -1 with err if the record is too
 * small for its type. `attr` is NULL if the event is unknown.
 */
int dump_kernel_record(struct dump_out *out, const struct event *event, const struct perf_attr *attr,
		       struct error *err);

/* Does dump_kernel_record() know records of this type? */
bool dump_knows_kernel_record(uint32_t type);

/* perf's own records (types from 64 on). Returns 0, also for unknown types, or -1 with err if it is too small for its type. */
int dump_tool_record(struct dump_out *out, const struct event *event, struct error *err);

/* A sample, in the order of the record. `arch` decides the names of registers; NULL: this machine's. */
void dump_sample(struct dump_out *out, const struct sample *sample, const struct perf_attr *attr,
		 const char *arch);

/* Writes the words of a callchain, with names for markers. Also used for CALLCHAIN_DEFERRED. */
void dump_callchain(struct dump_out *out, struct byte_reader words);

/* Writes a struct read_format (linux/perf_event.h): one value, or those of a group. */
void dump_read_values(struct dump_out *out, struct byte_reader r, uint64_t read_format);

#endif
