#ifndef XPROF_REPORT_SCRIPT_SCRIPT_EVENTS_H
#define XPROF_REPORT_SCRIPT_SCRIPT_EVENTS_H

/*
 * Checks the events of a file as they become known: whether they have the fields to print, and what they have
 * in common.
 */

#include "report/script/script_writer.h"

struct script_events {
	/* Set by the caller: */
	const struct perf_file *file;
	bool with_callchains; /* print call chains if there are any */
	bool by_cpu;          /* samples are selected by CPU */

	/* Learned: */
	size_t count;
	uint64_t checked_types; /* bit n: enum script_type n had its first event */
	bool any_callchain;
	bool timeless; /* not all records have times */
};

/*
 * Call it before each record is printed, because a pipe can have new events. Removes fields that events lack
 * from the style, and call chains if no event has one. Returns 0, or -1 with err if the user named one of
 * these fields.
 */
int script_events_learn(struct script_events *events, struct script_style *style, struct error *err);

#endif
