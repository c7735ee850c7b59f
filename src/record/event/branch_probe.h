#ifndef XPROF_RECORD_BRANCH_PROBE_H
#define XPROF_RECORD_BRANCH_PROBE_H

/*
 * Finds by trial which branches the CPU and the kernel can record: attr.branch_sample_type names kinds of branches and
 * fields of them, and a kernel refuses the whole for one bit that it cannot do, without telling which.
 */

#include <linux/perf_event.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/strbuf.h"

/* Opens an event and closes it again. */
struct branch_trial {
	bool (*opens)(const struct perf_event_attr *attr, void *context);
	void *context;
};

/*
 * Leaves out the fewest fields (hw_index, save_type, ...) with which the event opens. Kinds of branches and levels of
 * privilege stay as they are: other branches would be recorded without them. False if the event does not open without
 * them, either; the attr is then as before. A notice names `event` and the fields that were left out.
 */
bool branch_probe_fields(struct perf_event_attr *attr, const char *event, const struct branch_trial *trial,
			 struct strbuf *notices);

/* The kinds and levels of the attr that do not open, each tried with nothing else; 0: each alone does. */
uint64_t branch_probe_refused_kinds(const struct perf_event_attr *attr, const struct branch_trial *trial);

/* "hw_index, counter" */
void branch_probe_add_names(struct strbuf *text, uint64_t bits);

#endif
