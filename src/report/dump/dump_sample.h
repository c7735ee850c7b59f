#ifndef XPROF_REPORT_DUMP_DUMP_SAMPLE_H
#define XPROF_REPORT_DUMP_DUMP_SAMPLE_H

/* The fields of a sample, those that its event samples, in the order of the record. */

#include "format/sample.h"
#include "report/dump/dump_out.h"

/* `arch` names the registers; NULL is this machine. */
void dump_sample(struct dump_out *out, const struct sample *sample, const struct perf_attr *attr,
		 const char *arch);

/* Words of a callchain; markers by name. For CALLCHAIN_DEFERRED, too. */
void dump_callchain(struct dump_out *out, struct byte_reader words);

/* struct read_format, linux/perf_event.h: one entry, or those of a group. */
void dump_read_values(struct dump_out *out, struct byte_reader r, uint64_t read_format);

#endif
