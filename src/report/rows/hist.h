#ifndef XPROF_REPORT_ROWS_HIST_H
#define XPROF_REPORT_ROWS_HIST_H

/*
 * The rows of a table: one event's samples added up by the keys of a layout, with
 * perf report's semantics.
 *
 * Self is what was sampled in the row itself. Total ("Children") is that plus what
 * was called from it: each row that appears among the frames of a stack gets the
 * sample once, however often it appears. Shares refer to the weight of all samples
 * of the event, or of those shown when the user wants relative shares.
 *
 *     hist_init(&hist, profile, &frames, event, filter, &options);
 *     for (uint32_t i = 0; i < hist.row_count; i++)
 *             printf("%6.2f%%\n", hist_row_percent(&hist, &hist.rows[i]));
 *     hist_fini(&hist);
 */

#include "report/rows/hist_row.h"

/*
 * Makes the rows of one event's samples, or of all events if `event` is PROFILE_NONE. Everything is borrowed.
 */
void hist_init(struct hist *hist, const struct profile *profile, const struct frame_table *frames,
	       uint32_t event, const struct filter *filter, const struct hist_options *options);
void hist_fini(struct hist *hist);

/* The weight that counts as 100 percent. */
uint64_t hist_total(const struct hist *hist);
/*
 * The percentage to which --percent-limit applies: that of the row's total if there are totals, else of self.
 */
double hist_row_percent(const struct hist *hist, const struct hist_row *row);
/* A weight in percent of hist_total(). */
double hist_percent(const struct hist *hist, uint64_t weight);

/* The frames of a hit, in the hist's order. The caller may reuse a path for the next hit. */
struct hist_path {
	uint32_t *stacks; /* nodes of the profile's stacks */
	size_t length;
	size_t capacity;
};
void hist_path_of(const struct hist *hist, const struct hist_hit *hit, struct hist_path *path);
void hist_path_fini(struct hist_path *path);

#endif
