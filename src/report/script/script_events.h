#ifndef XPROF_REPORT_SCRIPT_SCRIPT_EVENTS_H
#define XPROF_REPORT_SCRIPT_SCRIPT_EVENTS_H

/*
 * The events of a file, as xprof script learns of them: whether they have what is to be printed, and what they have
 * in common.
 */

#include "report/script/script_writer.h"

struct script_events {
	/* Set by the caller: */
	const struct perf_file *file;
	bool with_callchains; /* call chains are to be printed where there are any */
	bool by_cpu;          /* samples are chosen by their CPU */

	/* Learned: */
	size_t count;
	uint64_t checked_types; /* bit n: enum script_type n had its first event */
	bool any_callchain;
	bool timeless; /* records have no times, or the file's writer could not give all of them one */
};

/*
 * To be called before a record is printed: of a pipe more events may have come. Fields that they do not have are taken
 * out of the style, and call chains where no event has one. -1: one that the user has named is among these.
 */
int script_events_learn(struct script_events *events, struct script_style *style, struct error *err);

#endif
