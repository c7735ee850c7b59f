#ifndef XPROF_REPORT_DUMP_DUMP_SAMPLE_H
#define XPROF_REPORT_DUMP_DUMP_SAMPLE_H

/* Writes the fields of a sample, in the order of the record. */

#include "format/sample.h"
#include "report/dump/dump_out.h"

/* `arch` decides the names of registers; NULL: this machine's. */
void dump_sample(struct dump_out *out, const struct sample *sample, const struct perf_attr *attr,
		 const char *arch);

/* Writes the words of a callchain, with names for markers. Also used for CALLCHAIN_DEFERRED. */
void dump_callchain(struct dump_out *out, struct byte_reader words);

/* Writes a struct read_format (linux/perf_event.h): one value, or those of a group. */
void dump_read_values(struct dump_out *out, struct byte_reader r, uint64_t read_format);

#endif
