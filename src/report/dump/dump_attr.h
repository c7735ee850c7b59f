#ifndef XPROF_REPORT_DUMP_DUMP_ATTR_H
#define XPROF_REPORT_DUMP_DUMP_ATTR_H

/* An event's attribute as fields; what is 0 is left out, as perf evlist -v does. */

#include "format/perf_attr.h"
#include "report/dump/dump_out.h"

/* Names of the bits in an attr's members; those of perf_attr.flags in perf's order. */
extern const struct dump_bit_name dump_sample_type_names[], dump_read_format_names[],
	dump_branch_sample_names[], dump_attr_flag_names[];

void dump_attr(struct dump_out *out, const struct perf_attr *attr);

#endif
