#ifndef XPROF_PROFILE_PROFILE_DIFF_H
#define XPROF_PROFILE_PROFILE_DIFF_H

/*
 * Puts two profiles, or several of each side, side by side: the samples of the same function, library,
 * command or CPU. Functions are the same if their names, without suffixes of compilers (match_name.h), and
 * the short names of their DSOs are equal, whatever their addresses; all functions of a DSO without a name
 * count as one.
 *
 * It only sums; compare.h judges the sums.
 */

#include "profile/call_tree.h"
#include "profile/compare.h"
#include "profile/filter.h"
#include "profile/frame_table.h"
#include "profile/name_pairs.h"
#include "profile/timeline.h"

enum diff_key {
	DIFF_BY_COMM = 1 << 0,
	DIFF_BY_DSO = 1 << 1,
	DIFF_BY_SYMBOL = 1 << 2, /* together with its DSO, even if that is not shown */
	DIFF_BY_CPU = 1 << 3,
};

#define DIFF_NONE UINT32_MAX

struct diff_sums {
	uint64_t count, weight;
};

struct diff_function {
	uint32_t dso;    /* text; DIFF_NONE: nothing was mapped there */
	uint32_t symbol; /* text; DIFF_NONE: no name is known, or symbols are not a key */
	enum frame_mode mode;
};

struct diff_row {
	uint32_t comm;     /* text; DIFF_NONE: not a key */
	uint32_t cpu;      /* DIFF_NONE: not a key, or not recorded */
	uint32_t function; /* number for profile_diff_function(); DIFF_NONE: not a key */
	struct diff_sums self[COMPARE_SIDES];
	struct diff_sums total[COMPARE_SIDES]; /* including callees; a sample counts once */
};

/* One recording. Everything is borrowed and outlives the diff. */
struct diff_run {
	const struct profile *profile;
	const struct frame_table *frames;
	uint32_t event;
	const struct filter *filter;
	const struct timeline *timeline; /* finished; NULL or empty: times of samples are unknown */
};

struct profile_diff;

/*
 * `runs` has run_counts[COMPARE_BEFORE] runs of the earlier side, then run_counts[COMPARE_AFTER] of the
 * later; at least one of each. `keys` is a combination of enum diff_key. `pairs` must outlive the diff; may
 * be NULL.
 */
struct profile_diff *profile_diff_create(const struct diff_run *runs, const size_t run_counts[COMPARE_SIDES],
					 unsigned keys, const struct name_pairs *pairs);
void profile_diff_destroy(struct profile_diff *diff);

/* Rows in order of appearance, the earlier side first. Rows in which only callees were sampled have self 0. */
uint32_t profile_diff_row_count(const struct profile_diff *diff);
const struct diff_row *profile_diff_row(const struct profile_diff *diff, uint32_t number);
const struct diff_function *profile_diff_function(const struct profile_diff *diff, uint32_t number);
const char *profile_diff_text(const struct profile_diff *diff, uint32_t text);

/* Do all runs have times of samples? */
bool profile_diff_has_slices(const struct profile_diff *diff);

/*
 * The weights of a row in the slices of both sides (compare.h), including callees if `total`; and those of all samples
 * that count or, if `shown`, are shown. Valid as long as the diff.
 */
void profile_diff_slices(const struct profile_diff *diff, uint32_t row, bool total, bool shown,
			 struct compare_slices *slices);

/* Sums of all samples that count (filter.h), and of those that are shown. */
struct diff_sums profile_diff_counted(const struct profile_diff *diff, int side);
struct diff_sums profile_diff_shown(const struct profile_diff *diff, int side);

/* The same for one run, and the sums of one row, including callees if `total`. */
size_t profile_diff_run_count(const struct profile_diff *diff, int side);
struct diff_sums profile_diff_run_counted(const struct profile_diff *diff, int side, size_t run);
struct diff_sums profile_diff_run_shown(const struct profile_diff *diff, int side, size_t run);
struct diff_sums profile_diff_run_sums(const struct profile_diff *diff, int side, size_t run, uint32_t row,
				       bool total);

/*
 * The callers of a row in its samples, as a call tree: paths of function numbers from the row's caller
 * outwards. A node's `count` is the weight before and its `weight` the weight after, or the numbers of
 * samples if `samples`. The caller destroys the tree.
 */
struct call_tree *profile_diff_callers(struct profile_diff *diff, uint32_t row, bool samples);

#endif
