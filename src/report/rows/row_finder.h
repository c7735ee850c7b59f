#ifndef XPROF_REPORT_ROWS_ROW_FINDER_H
#define XPROF_REPORT_ROWS_ROW_FINDER_H

/*
 * Finds the row of a hist for a sample and a frame of its stack.
 *
 * Some keys of a row depend on the sample (thread, CPU), the others on the frame. Samples with equal keys of
 * the first kind form a group; nodes of the stacks with equal keys of the second kind have the same place.
 * Group and place determine the row. A place is a frame of the frame table or, if lines are among the keys, a
 * location that was sampled or guessed; place 0 means no node.
 *
 * The rows of one group at a time are kept in an array by place, so look-ups are fast if samples come group
 * by group.
 */

#include "profile/intern_table.h"
#include "report/rows/hist_row.h"

struct known_row {
	uint32_t group; /* one more than its number; 0: none */
	uint32_t row;
};

struct row_finder {
	const struct hist *hist;
	struct hist_row *rows; /* only keys are set; in the order in which they were found */
	size_t row_count, row_capacity;
	struct hash_table row_index; /* not used if places_differ */

	bool samples_differ; /* samples of one thread can be in different groups, by CPU for example */
	bool has_sources;    /* source lines or files are among the keys */
	/* within a group each place is a row, and no group comes twice: no search needed */
	bool places_differ;
	struct intern_table groups;     /* rows with the keys of samples only */
	uint32_t *group_of_thread;      /* one more than the group's number; 0: not known yet */
	struct known_row *row_of_place; /* of the last group */
	uint32_t *dso_names;            /* by frame; a compact copy that stays in the CPU's caches */
};

/* The hist's profile, frames and options must be set. `again`: a group may come again after others. */
void row_finder_init(struct row_finder *finder, const struct hist *hist, bool again);
void row_finder_fini(struct row_finder *finder); /* does not free the rows, which belong to the caller */

uint32_t row_finder_group(struct row_finder *finder, const struct profile_sample *sample);
uint32_t row_finder_place(const struct row_finder *finder, const struct profile_stack *node);

/*
 * The row of a group at `place`. `source` is the place whose source line counts: `place` itself, or a
 * function inlined there, because, as in perf, an inlined function is part of the compiled function and
 * differs only in its line.
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
