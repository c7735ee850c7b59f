#ifndef XPROF_REPORT_CODE_COUNTED_SUMS_H
#define XPROF_REPORT_CODE_COUNTED_SUMS_H

/* The branch counters of a recording, summed up for each source of branches, as perf report --total-cycles shows them. */

#include "base/hash_table.h"
#include "report/code/code_counts.h"
#include "report/code/counted_events.h"

struct counted_sum {
	struct code_place from;
	uint64_t counts[COUNTED_EVENTS_MAX]; /* over branches with counted cycles */
	bool may_be_more[COUNTED_EVENTS_MAX];
};

struct counted_sums {
	struct counted_events events; /* empty: there are no counters, and no sums */
	bool knows_events;
	struct counted_sum *items;
	size_t count, capacity;
	struct hash_table by_place;
};

void counted_sums_fini(struct counted_sums *sums);

/* `leader` is the group leader of the sample's event; mappings are those at `time_ns`. */
void counted_sums_add(struct counted_sums *sums, const struct perf_file *file, const struct sample *sample,
		      size_t leader, uint64_t time_ns, struct process_table *processes);

/*
 * Appends "|AA+ |-   |": for each event its mean over `branches` branches, rounded up: a letter for each occurrence, + if there
 * may have been more. Each takes at least four characters.
 */
void counted_sums_add_text(const struct counted_sums *sums, const struct code_place *from, uint64_t branches,
			   struct strbuf *out);

#endif
