#ifndef XPROF_RECORD_BRANCH_PROBE_H
#define XPROF_RECORD_BRANCH_PROBE_H

/*
 * Finds by trial which branches the CPU and the kernel can record. attr.branch_sample_type has bits for kinds
 * of branches and for their fields. If the kernel does not support one bit, it refuses the event without
 * telling which.
 */

#include <linux/perf_event.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/strbuf.h"

/* Tries to open an event, and closes it again. */
struct branch_trial {
	bool (*opens)(const struct perf_event_attr *attr, void *context);
	void *context;
};

/*
 * Removes as few fields (hw_index, save_type, ...) as possible until the event opens. Kinds of branches and
 * privilege levels stay, because they decide which branches are recorded. Adds a notice that names `event`
 * and the removed fields. Returns false, and leaves the attr as it was, if the event does not open even
 * without any of these fields.
 */
bool branch_probe_fields(struct perf_event_attr *attr, const char *event, const struct branch_trial *trial,
			 struct strbuf *notices);

/* Removes these fields, and adds the notice. */
void branch_probe_leave_out(struct perf_event_attr *attr, uint64_t left_out, const char *event,
			    struct strbuf *notices);

/*
 * The kinds and privilege levels of the attr with which the event does not open, each tried without the
 * others; 0: none.
 */
uint64_t branch_probe_refused_kinds(const struct perf_event_attr *attr, const struct branch_trial *trial);

/* Appends the names of the bits: "hw_index, counter". */
void branch_probe_add_names(struct strbuf *text, uint64_t bits);

#endif
