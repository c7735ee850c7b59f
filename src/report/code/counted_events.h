#ifndef XPROF_REPORT_CODE_COUNTED_EVENTS_H
#define XPROF_REPORT_CODE_COUNTED_EVENTS_H

/*
 * Branch counters (PERF_SAMPLE_BRANCH_COUNTERS, Linux 6.8): how often events of a group occurred since the branch before. A
 * sample has a word for each of its branches, in which each event of its group that was recorded with -j counter has a few
 * bits, the group's first event the lowest ones. A count that fills its bits may have been larger. As in perf, events are
 * told apart by a letter.
 */

#include <stdbool.h>
#include <stddef.h>

#include "base/strbuf.h"
#include "format/perf_file.h"
#include "format/sample.h"

enum { COUNTED_EVENTS_MAX = 26 }; /* a letter for each; CPUs count 4 in a group */

struct counted_events {
	size_t count;
	struct counted_event {
		size_t number; /* of the event in the file */
		size_t leader; /* of its group */
		unsigned int shift;
	} items[COUNTED_EVENTS_MAX];
	unsigned int bits; /* of a count; 0: the header does not say it, and no count can be read */
};

/* To be called when all events are known: with the first sample. */
void counted_events_find(struct counted_events *events, const struct perf_file *file);

static inline char counted_event_letter(size_t item)
{
	return (char)('A' + item);
}

/*
 * Reads the count of an item at branch number `branch` of a sample. `leader` is that of the sample's event. False if the item is
 * of another group, or the sample has no counters.
 */
bool counted_events_read(const struct counted_events *events, size_t item, const struct sample *sample,
			 size_t leader, size_t branch, unsigned int *count, bool *may_be_more);

/* The lines with which perf says which letter is which event. */
void counted_events_add_heading(const struct counted_events *events, const struct perf_file *file,
				struct strbuf *out);

#endif
