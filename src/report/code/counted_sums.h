#ifndef XPROF_REPORT_CODE_COUNTED_SUMS_H
#define XPROF_REPORT_CODE_COUNTED_SUMS_H

/* The branch counters of a recording, added up for each place that branches come from, as perf report --total-cycles has them. */

#include "base/hash_table.h"
#include "report/code/code_counts.h"
#include "report/code/counted_events.h"

struct counted_sum {
	struct code_place from;
	uint64_t counts[COUNTED_EVENTS_MAX]; /* of branches whose cycles the CPU counted */
	bool may_be_more[COUNTED_EVENTS_MAX];
};

struct counted_sums {
	struct counted_events events; /* none: there are no counters, and no sums */
	bool knows_events;
	struct counted_sum *items;
	size_t count, capacity;
	struct hash_table by_place;
};

void counted_sums_init(struct counted_sums *sums);
void counted_sums_fini(struct counted_sums *sums);

/* `leader` is that of the sample's event; mappings are those at `time_ns`. */
void counted_sums_add(struct counted_sums *sums, const struct perf_file *file, const struct sample *sample,
		      size_t leader, uint64_t time_ns, struct process_table *processes);

/*
 * "|AA+ |-   |" for a mean of each event over `branches` branches, rounded up: a letter for each occurrence, + where there may
 * have been more. Four characters each at least.
 */
void counted_sums_add_text(const struct counted_sums *sums, const struct code_place *from, uint64_t branches,
			   struct strbuf *out);

#endif
