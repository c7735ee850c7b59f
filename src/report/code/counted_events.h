#ifndef XPROF_REPORT_CODE_COUNTED_EVENTS_H
#define XPROF_REPORT_CODE_COUNTED_EVENTS_H

/*
 * Branch counters (PERF_SAMPLE_BRANCH_COUNTERS, Linux 6.8): how often events of a group occurred since the previous branch. A
 * sample has a word for each branch; each event of the group that was recorded with -j counter has a few bits in it, the first
 * event the lowest ones. If all bits of a count are set, the true count may be larger. As in perf, a letter identifies each
 * event.
 */

#include <stdbool.h>
#include <stddef.h>

#include "base/strbuf.h"
#include "format/perf_file.h"
#include "format/sample.h"

enum { COUNTED_EVENTS_MAX = 26 }; /* one letter for each; CPUs count 4 in a group */

struct counted_events {
	size_t count;
	struct counted_event {
		size_t number; /* number of the event in the file */
		size_t leader; /* leader of its group */
		unsigned int shift;
	} items[COUNTED_EVENTS_MAX];
	unsigned int bits; /* bits of a count; 0: not in the header, so counts cannot be read */
};

/* Call it when all events are known: with the first sample. */
void counted_events_find(struct counted_events *events, const struct perf_file *file);

static inline char counted_event_letter(size_t item)
{
	return (char)('A' + item);
}

/*
 * Reads the count of an item at branch number `branch` of a sample. `leader` is the group leader of the sample's event. Returns
 * false if the item belongs to another group, or the sample has no counters.
 */
bool counted_events_read(const struct counted_events *events, size_t item, const struct sample *sample,
			 size_t leader, size_t branch, unsigned int *count, bool *may_be_more);

/* Appends the lines in which perf lists the letters and their events. */
void counted_events_add_heading(const struct counted_events *events, const struct perf_file *file,
				struct strbuf *out);

#endif
