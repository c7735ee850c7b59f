#ifndef XPROF_PROFILE_COMPARE_H
#define XPROF_PROFILE_COMPARE_H

/*
 * Tells differences from noise. For something that was sampled in two recordings, such as a function, computes by how much its
 * samples differ, a confidence interval, and how probable such a difference is by chance.
 *
 * Samples are counts of a random process. For shares, each of n samples falls into the function with the same probability
 * (binomial); for rates, samples come with the same probability at any moment (Poisson). If samples have different weights, n
 * is the number of samples of equal weight that would be as exact: the square of the sum of weights over the sum of their
 * squares (Kish, Survey Sampling, 1965, 8.2).
 *
 *   interval of one side        the score interval: Wilson, JASA 22 (1927) 209, for shares, and its limit for
 *                               Poisson counts. Good down to counts of 0, and never beyond 0 or 100%
 *   interval of a difference    Newcombe, Statistics in Medicine 17 (1998) 873, method 10, made from the intervals
 *                               of the sides; for rates Zou and Donner, ibid. 27 (2008) 1693
 *   probability of chance       exact: Fisher's test for shares; for rates the binomial test of one side's
 *                               count given the sum of both
 *   several recordings          Welch's test, Biometrika 34 (1947) 28, of the values of the recordings, in addition: it
 *   of a side                   includes differences between runs. The wider interval and the larger chance count
 *   many comparisons            Holm, Scandinavian Journal of Statistics 6 (1979) 65, which is valid however
 *                               the comparisons depend on each other; functions and their callers do
 *
 * Samples are not quite independent: programs have phases, and other programs come and go. So both sides are cut into the same
 * number of slices in order of time and compared slice by slice. If the differences of slices vary more than those of
 * independent samples would, the difference of the sums is less exact. Variation that both sides have in common, such as the
 * phases of one program, cancels out.
 *
 *   variance over slices        of a sum of the differences of slices, estimated from how much these vary (batch means).
 *                               If it is larger than that of independent samples by more than chance explains, counts are
 *                               divided by the ratio of both, and Student's distribution replaces the normal one
 *
 * With one recording of each side, all this is only about variation within these recordings. They cannot show how much two runs
 * of the same program differ as a whole (caches, other programs, the layout of memory).
 */

#include <stddef.h>
#include <stdint.h>

enum compare_kind {
	COMPARE_SHARES, /* parts of a whole: values are weights divided by that of the whole */
	COMPARE_RATES,  /* values are weights divided by something that is not sampled: time, work, 1 */
};

enum { COMPARE_BEFORE, COMPARE_AFTER, COMPARE_SIDES };

/* All samples of one recording. */
struct compare_whole {
	uint64_t count;
	double weight;
	double weight_squares; /* sum of the squares of the weights of single samples */
	double divisor;        /* of rates; > 0 */
	double factor;         /* values are multiplied by it before they are compared; usually 1; > 0 */
};

struct compare_scale {
	enum compare_kind kind;
	double confidence; /* 0 < c < 1 */
	/* quantiles for that confidence: of the normal distribution, and of Student's for slices */
	double z, t;
	struct compare_whole whole[COMPARE_SIDES];
};

/* Number of slices: enough to estimate a variance, few enough that each is longer than typical disturbances. */
enum { COMPARE_SLICES = 16 };

/* COMPARE_SLICES weights of each side, in order of time: of the compared thing, and of all samples. */
struct compare_slices {
	const double *part[COMPARE_SIDES];
	const double *whole[COMPARE_SIDES];
};

struct comparison {
	double value[COMPARE_SIDES];         /* shares from 0 to 1, or rates; multiplied by the factor */
	double delta, low, high;             /* after - before, and its confidence interval */
	double ratio, ratio_low, ratio_high; /* after / before; INFINITY or NAN if before is 0 */
	double chance;          /* p-value: the probability of a difference at least as large by chance,
				   two-sided */
	double sampling_chance; /* the same if samples were independent; at most `chance` */
	double dispersion;      /* this many samples are as exact as one independent sample; at least 1 */
};

/*
 * The number of standard deviations around the mean that contain `confidence` (0 < c < 1) of a normal distribution:
 * 0.95 -> 1.96.
 */
double compare_z(double confidence);

/* Makes a scale for any number of comparisons. The caller fills in `whole`. */
struct compare_scale compare_scale_of(enum compare_kind kind, double confidence);

/*
 * Compares `weight` of both sides, the sum of the thing's samples. `slices` may be NULL; samples are then assumed to be
 * independent.
 */
struct comparison compare(const struct compare_scale *scale, const double weight[COMPARE_SIDES],
			  const struct compare_slices *slices);

/* The same with a known dispersion, such as that of a thing for its parts. */
struct comparison compare_dispersed(const struct compare_scale *scale, const double weight[COMPARE_SIDES],
				    double dispersion);

/* The value of each recording of both sides. */
struct compare_runs {
	const double *values[COMPARE_SIDES];
	size_t count[COMPARE_SIDES];
};

/*
 * Widens the interval and raises the chance if the recordings of a side differ by more. Does nothing if
 * either side has only one.
 */
void compare_widen(struct comparison *comparison, double confidence, const struct compare_runs *runs);

/*
 * Adjusts the p-values of several comparisons made together (Holm): a difference is significant if its adjusted value
 * is below alpha.
 */
void compare_adjust(double *chances, size_t count);

/* `part` in percent of `whole`; 0 if the whole is 0. */
double compare_percent(double part, double whole);

#endif
