#ifndef XPROF_REPORT_ROWS_ROW_FINDER_H
#define XPROF_REPORT_ROWS_ROW_FINDER_H

/*
 * Finds the row of a hist for a sample and a frame of its stack.
 *
 * Some keys of a row are decided by the sample's thread and CPU, the others by the frame. Samples that agree in the
 * former are a group, and nodes of the stacks that agree in the latter have one place, so that group and place lead to
 * the row. A place is a frame of the frame table, or, where lines are among the keys, a location that was sampled or
 * guessed; place 0 is that of no node.
 *
 * The rows of one group at a time are known by their places. To go through the samples group by group is therefore
 * what makes this fast.
 */

#include "profile/intern_table.h"
#include "report/rows/hist_row.h"

struct known_row {
	uint32_t group; /* one more than its number; 0: none */
	uint32_t row;
};

struct row_finder {
	const struct hist *hist;
	struct hist_row *rows; /* with keys only; in the order in which they were found */
	size_t row_count, row_capacity;
	struct hash_table row_index; /* unless places_differ */

	bool samples_differ; /* within a thread: their CPU, for example, is among the keys */
	bool has_sources;    /* among the keys */
	bool places_differ;  /* each is a row of its own in a group, of which no row is looked for later */
	struct intern_table groups;     /* rows of which only the sample's keys are known */
	uint32_t *group_of_thread;      /* one more than its number; 0: not looked for yet */
	struct known_row *row_of_place; /* of the last group that asked */
	uint32_t *dso_names; /* by frame: as the frames have them, but so few bytes stay in the caches */
};

/* Of a hist that has its profile, frames and options. `again`: groups may come again after others came. */
void row_finder_init(struct row_finder *finder, const struct hist *hist, bool again);
void row_finder_fini(struct row_finder *finder); /* but for the rows: they are the caller's */

uint32_t row_finder_group(struct row_finder *finder, const struct profile_sample *sample);
uint32_t row_finder_place(const struct row_finder *finder, const struct profile_stack *node);

/*
 * The row at a place whose instruction is what `source` is the place of: the same one, or what is inlined there. As in
 * perf, what runs in an inlined function is the function's that was compiled: only its line is its own.
 */
uint32_t row_finder_look_up(struct row_finder *finder, uint32_t group, uint32_t place, uint32_t source);

static inline uint32_t row_finder_row(struct row_finder *finder, uint32_t group, uint32_t place)
{
	struct known_row *known = &finder->row_of_place[place];

	if (known->group != group + 1)
		*known = (struct known_row){ group + 1, row_finder_look_up(finder, group, place, place) };
	return known->row;
}

#endif
