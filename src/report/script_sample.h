#ifndef XPROF_REPORT_SCRIPT_SAMPLE_H
#define XPROF_REPORT_SCRIPT_SAMPLE_H

/*
 * A sample as perf script (6.1) prints it: a line, and below it the call chain,
 * a frame a line and a blank line at its end.
 */

#include "base/strbuf.h"
#include "format/perf_file.h"
#include "format/sample.h"
#include "format/tracepoint_format.h"
#include "report/script_fields.h"
#include "report/script_place.h"

struct script_style {
	struct script_fields fields;
	bool callchains; /* unless -G, or no event has one */
	bool nanoseconds;
	bool relative_time; /* to the first sample */
	bool delta_time;    /* to the one before */
	unsigned int max_stack;
	int name_width; /* of the widest event name */
};

struct script_writer {
	struct script_style style;
	struct strbuf out;
	struct strbuf name;
	const struct perf_file *file;
	struct process_table *processes;
	struct script_places *places;
	struct tracepoint_formats *tracepoints; /* NULL: none */
	const char *no_tracepoints;             /* and why */
	uint64_t first_time_ns, time_before_ns; /* 0: none yet */
	int data_src_width;                     /* grows, as perf's does */
};

/* One that is to be printed, with what filters had to find out already. */
struct script_sample {
	const struct sample *sample;
	const struct event_desc *desc;
	uint64_t period;
	uint64_t state_time_ns; /* what the process table is asked with */
	const char *comm;
	struct script_place leaf;
};

/* Tracepoints of a pipe have no name but in their formats. Valid until the next call. */
const char *script_event_name(struct script_writer *writer, const struct event_desc *desc);

void script_sample_write(struct script_writer *writer, const struct script_sample *sample);

/* What any record begins with: comm, ids, cpu, time, as the fields of its event say. */
struct script_start {
	const char *comm;
	uint32_t pid, tid, cpu;
	uint64_t time_ns;
	uint32_t record_type;
	uint16_t misc;
};
void script_start_write(struct script_writer *writer, const struct perf_attr *attr,
			const struct script_start *start);

#endif
