#ifndef XPROF_REPORT_DIFF_DIFF_RESULT_H
#define XPROF_REPORT_DIFF_DIFF_RESULT_H

/*
 * The sorted rows of a diff, with values, confidence intervals, and whether they differ by more than chance.
 *
 *     diff_result_init(&result, diff, &(struct diff_request){ .normalize = DIFF_SHARE, .confidence = 0.95 }, false);
 *     for (uint32_t i = 0; i < result.count; i++)
 *             if (diff_line_verdict(&result.lines[i], false) == DIFF_PROGRAMS)
 *                     print_line(&result.lines[i]);
 *     diff_result_fini(&result);
 */

#include <stdbool.h>

#include "profile/profile_diff.h"

/* --normalize: sums of two recordings are divided by this to be comparable. */
enum diff_normalize {
	DIFF_SHARE,   /* the sum of everything sampled */
	DIFF_TIME,    /* the seconds from the first sample to the last */
	DIFF_WORK,    /* the amount of work done, given by the user */
	DIFF_SAMPLES, /* 1, and each sample counts 1 */
	DIFF_NOTHING, /* 1 */
};
extern const char *const diff_normalize_names[]; /* choices of an option */

/* The figure shown for a difference, and the order of rows. perf's names. */
enum diff_compute { DIFF_DELTA_ABS, DIFF_DELTA, DIFF_RATIO, DIFF_WDIFF };

enum diff_order { DIFF_ORDER_BASELINE, DIFF_ORDER_COMPUTED, DIFF_ORDER_CHILDREN };

struct diff_request {
	enum diff_normalize normalize;
	enum diff_compute compute;
	enum diff_order order;
	double confidence;                         /* 0 < c < 1 */
	double divisor[COMPARE_SIDES];             /* for DIFF_TIME and DIFF_WORK: sums over runs */
	const double *run_divisors[COMPARE_SIDES]; /* of each run; needed if both sides have several */
	double factor[COMPARE_SIDES];              /* for DIFF_WDIFF */
	double design_effect[COMPARE_SIDES];       /* diff_design_effect() of the event */
	bool relative;                             /* shares refer to what is shown */
};

/* The verdict on a difference. */
enum diff_verdict {
	DIFF_CHANCE,   /* it may be chance in sampling */
	DIFF_RUNS,     /* more than that, but runs of the same program may differ as much */
	DIFF_PROGRAMS, /* more than the known differences between runs, too */
};

struct diff_line {
	uint32_t row; /* row of the profile_diff */
	struct comparison self, total;
	double self_chance, total_chance; /* adjusted for the number of rows */
	enum diff_verdict self_verdict, total_verdict;
};

struct diff_result {
	const struct profile_diff *diff;
	struct diff_request request;
	struct compare_scale scale;
	struct comparison whole; /* of the sum of all rows; meaningless for shares */
	struct diff_line *lines;
	uint32_t count;
	bool knows_runs;   /* both sides have several recordings: differences between runs are included */
	bool knows_slices; /* times of samples are known: variation within a recording is included */
	bool claims;       /* lines can be DIFF_PROGRAMS; false for rates with one recording per side */
};

/* The verdict on a line by itself or, with `children`, with its callees. */
enum diff_verdict diff_line_verdict(const struct diff_line *line, bool children);

/* The diff is borrowed. */
void diff_result_init(struct diff_result *result, const struct profile_diff *diff,
		      const struct diff_request *request);
void diff_result_fini(struct diff_result *result);

/*
 * The number of samples that are worth one sample of equal weights: n * sum of squares / square of the sum.
 */
double diff_design_effect(const struct profile_event *event);

#endif
