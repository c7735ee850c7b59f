#ifndef XPROF_REPORT_DIFF_DIFF_RESULT_H
#define XPROF_REPORT_DIFF_DIFF_RESULT_H

/*
 * The rows of a diff with what their sums mean: values, intervals, which of them differ by more than chance; in order.
 *
 *     diff_result_init(&result, diff, &(struct diff_request){ .normalize = DIFF_SHARE, .confidence = 0.95 }, false);
 *     for (uint32_t i = 0; i < result.count; i++)
 *             if (diff_line_verdict(&result.lines[i], false) == DIFF_PROGRAMS)
 *                     print_line(&result.lines[i]);
 *     diff_result_fini(&result);
 */

#include <stdbool.h>

#include "profile/profile_diff.h"

/* The divisor that makes the sums of two recordings comparable. */
enum diff_normalize {
	DIFF_SHARE,   /* everything that was sampled */
	DIFF_TIME,    /* the seconds from the first sample to the last */
	DIFF_WORK,    /* what was done meanwhile, which only the user knows */
	DIFF_SAMPLES, /* nothing, and each sample counts as one */
	DIFF_NOTHING, /* nothing */
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
	double divisor[COMPARE_SIDES];             /* of DIFF_TIME and DIFF_WORK: sums over runs */
	const double *run_divisors[COMPARE_SIDES]; /* of each run; needed where both sides have several */
	double factor[COMPARE_SIDES];              /* of DIFF_WDIFF */
	double design_effect[COMPARE_SIDES];       /* of all samples of the event: diff_design_effect() */
	bool relative;                             /* shares of what is shown */
};

/* The verdict on a difference. */
enum diff_verdict {
	DIFF_CHANCE,   /* it may be chance in sampling */
	DIFF_RUNS,     /* it is more than that, but runs of the same program may differ as much */
	DIFF_PROGRAMS, /* it is more than what is known of differences between runs, too */
};

struct diff_line {
	uint32_t row; /* of the profile_diff */
	struct comparison self, total;
	double self_chance, total_chance; /* among all rows */
	enum diff_verdict self_verdict, total_verdict;
};

struct diff_result {
	const struct profile_diff *diff;
	struct diff_request request;
	struct compare_scale scale;
	struct comparison whole; /* of everything that is compared; nothing to learn from shares */
	struct diff_line *lines;
	uint32_t count;
	bool knows_runs; /* both sides have several recordings, so that what differs between runs is in all of it */
	bool knows_slices; /* else it is not known when samples were taken, and nothing of what varies within a recording */
	bool claims; /* otherwise no line is DIFF_PROGRAMS: what one recording of each can tell of shares, but not of rates */
};

/* Of a line as it is looked at: by itself, or with what it called as well. */
enum diff_verdict diff_line_verdict(const struct diff_line *line, bool children);

/* The diff outlives the result. */
void diff_result_init(struct diff_result *result, const struct profile_diff *diff,
		      const struct diff_request *request);
void diff_result_fini(struct diff_result *result);

/* How many samples it takes to know as much as one of equal samples tells: n * sum of squares / square of the sum. */
double diff_design_effect(const struct profile_event *event);

#endif
