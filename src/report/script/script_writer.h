#ifndef XPROF_REPORT_SCRIPT_SCRIPT_WRITER_H
#define XPROF_REPORT_SCRIPT_SCRIPT_WRITER_H

/* The state of printing a recording: fields, output, and the data to look up names in. */

#include "base/strbuf.h"
#include "format/event.h"
#include "format/perf_file.h"
#include "format/tracepoint/tracepoint_format.h"
#include "report/code/counted_events.h"
#include "report/load/dump_unwinder.h"
#include "report/script/recorded_code.h"
#include "report/script/script_fields.h"
#include "report/script/script_filter.h"
#include "report/script/script_place.h"
#include "report/view/list_option.h"
#include "text/json_writer.h"

struct script_style {
	struct script_fields fields;
	bool callchains; /* print call chains: not with -G, nor if no event has one */
	bool nanoseconds;
	bool relative_time; /* times since the first sample */
	bool delta_time;    /* times since the previous sample */
	struct unwind_options stacks;
	bool json;    /* see script_json.c; fields are ignored */
	bool inlines; /* show inlined functions as frames of call chains */
	bool full_source_path;
	bool counts_in_full;                    /* brcntr has names and numbers of events, not letters */
	const struct text_list *last_functions; /* cut call chains after the first of these functions */
	int name_width;                         /* width of the longest event name */
};

struct script_writer {
	struct script_style style;
	struct strbuf out;
	struct json_writer *json; /* NULL: plain text */
	const struct perf_file *file;
	struct process_table *processes;
	struct script_places *places;
	struct dump_unwinder *unwinder;         /* NULL: stack dumps are not unwound */
	struct recorded_code *code;             /* for instructions */
	struct counted_events counted;          /* between branches */
	struct tracepoint_formats *tracepoints; /* NULL: none */
	struct script_hole *holes;              /* places in `out` for texts of tracepoints, in order */
	size_t hole_count, hole_capacity;
	const char *no_tracepoints; /* why `tracepoints` is NULL */
	char **tracepoint_names;    /* by event number; NULL: not needed, or not known yet */
	size_t tracepoint_name_count, tracepoint_name_capacity;
	uint64_t first_time_ns, time_before_ns; /* 0: none yet */
	int data_src_width;                     /* grows, as perf's does */
};

struct script_hole {
	size_t offset;
};

/* `places`, `unwinder`, `code` and `tracepoints` are set later by the caller, and stay the caller's. */
void script_writer_init(struct script_writer *writer, const struct script_style *style,
			const struct perf_file *file, struct process_table *processes);
void script_writer_fini(struct script_writer *writer);

/* Fills the holes. Call it before using `out`. */
void script_fill_holes(struct script_writer *writer);

/* Is the field printed for samples with this attr? */
static inline bool script_writer_has(const struct script_writer *writer, const struct perf_attr *attr,
				     enum script_field field)
{
	return script_has(&writer->style.fields, attr, field);
}

/* The name of an event; in a pipe that of a tracepoint comes from its format. Valid as long as the writer. */
const char *script_event_name(struct script_writer *writer, size_t event);

/* Writes the beginning of any record: comm, ids, cpu, time, by the fields of its event. */
struct script_start {
	const char *comm;
	uint32_t pid, tid, cpu;
	uint64_t time_ns;
	uint32_t record_type;
	uint16_t misc;
};
void script_start_write(struct script_writer *writer, const struct perf_attr *attr,
			const struct script_start *start);

/*
 * Writes a record other than a sample, as perf script --show-task-events and similar options do: COMM, FORK,
 * EXIT, MMAP, MMAP2, SWITCH, SWITCH_CPU_WIDE, LOST, NAMESPACES, CGROUP, KSYMBOL, BPF_EVENT, TEXT_POKE.
 * writer->places must be set. Returns 0, or -1 if the record is damaged; nothing is written then.
 */
int script_record_write(struct script_writer *writer, const struct event *event, uint64_t state_time_ns,
			const struct script_filter *filter);

#endif
