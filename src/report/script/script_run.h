#ifndef XPROF_REPORT_SCRIPT_SCRIPT_RUN_H
#define XPROF_REPORT_SCRIPT_SCRIPT_RUN_H

/*
 * Prints the samples of a file: reads, sorts, resolves, filters and writes them. Memory is bounded by a round
 * of records and by distinct names.
 *
 *     request = (struct script_request){ .style = style, .filter = &filter, .out = stdout };
 *     script_run(file, &request, &losses, &err);
 */

#include <stdio.h>

#include "format/perf_file.h"
#include "report/script/script_filter.h"
#include "report/script/script_writer.h"

struct script_request {
	struct script_style style;
	const struct script_filter *filter;
	struct symbolizer_options symbols;
	FILE *out;
	/* control characters in names are shown as '?', so that a file cannot control the terminal */
	bool to_terminal;
	bool show_task_events, show_mmap_events, show_switch_events, show_lost_events;
	bool show_namespace_events, show_cgroup_events, show_bpf_events, show_text_poke_events;
	bool show_round_events; /* records are then in the order of the file, not of time, as in perf */
};

/* Counts of samples printed, and of records that could not be. */
struct script_losses {
	uint64_t samples;               /* samples that passed the filters */
	uint64_t unknown_event_samples; /* samples with an id of no event in the file */
	uint64_t damaged_records;
	uint64_t late_records; /* records that came after one with a later time */
};

/* Returns 0, or -1 with err if the file cannot be read, or lacks something that the user asked for. */
int script_run(struct perf_file *file, const struct script_request *request, struct script_losses *losses,
	       struct error *err);

#endif
