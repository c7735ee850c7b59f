#ifndef XPROF_REPORT_DUMP_DUMP_ATTR_H
#define XPROF_REPORT_DUMP_DUMP_ATTR_H

/* Writes an event's attribute as fields. Members that are 0 are left out, as in perf evlist -v. */

#include "base/strbuf.h"
#include "format/perf_attr.h"
#include "report/dump/dump_out.h"

/* Names of bits in the members of an attr; those of perf_attr.flags are in perf's order. */
extern const struct dump_bit_name dump_sample_type_names[], dump_read_format_names[],
	dump_branch_sample_names[], dump_attr_flag_names[];

void dump_attr(struct dump_out *out, const struct perf_attr *attr);

/*
 * Describes an event as perf evlist -v ("type: 1, size: 128, ...") and the header of perf report ("type = 1,
 * size = 128, ...") do. Appends each member that is not 0 as ", NAME" `equals` "VALUE".
 */
void attr_text_add(struct strbuf *out, const struct perf_attr *attr, const char *equals);

#endif
