#ifndef XPROF_PROFILE_COMPARE_H
#define XPROF_PROFILE_COMPARE_H

/*
 * Is it a difference, or only noise? What was sampled of one thing in two
 * recordings -> by how much it differs, how exactly that is known, and how likely
 * it is by chance.
 *
 * Samples are counts of a random process: with a share, of n samples each falls
 * into the function with the same probability (binomial); with a rate, they come
 * with the same probability at any moment (Poisson). Where samples weigh
 * differently, n is the number of equal ones that would be as exact: the square
 * of the sum over the sum of squares (Kish, Survey Sampling, 1965, 8.2).
 *
 *   the interval of one side    the score interval: Wilson, JASA 22 (1927) 209, for shares, and its limit for
 *                               Poisson counts. Good down to counts of 0, and never beyond 0 or 100%
 *   the interval of a difference    that of Newcombe, Statistics in Medicine 17 (1998) 873, method 10, which is made
 *                               of those of the sides; for rates as Zou and Donner, ibid. 27 (2008) 1693, do
 *   the probability of chance   exact: Fisher's test for shares; for rates the binomial test of one side's
 *                               count given the sum of both
 *   several recordings of a side    Welch's test, Biometrika 34 (1947) 28, of the values of each recording, besides: what
 *                               differs from run to run is in it. The wider interval and the larger chance count
 *   among many                  Holm, Scandinavian Journal of Statistics 6 (1979) 65, which supposes nothing of how
 *                               they depend on each other; functions and their callers do
 *
 * With one recording of each side all of that is about chance in sampling: what differs between two runs of one program
 * for other reasons (caches, other programs, the order of threads) cannot be known from it.
 */

#include <stddef.h>
#include <stdint.h>

enum compare_kind {
	COMPARE_SHARES, /* parts of a whole: values are weights divided by that of the whole */
	COMPARE_RATES,  /* values are weights divided by something of which no sample knows: time, work, 1 */
};

enum { COMPARE_BEFORE, COMPARE_AFTER, COMPARE_SIDES };

/* Of one recording: everything that was sampled. */
struct compare_whole {
	uint64_t count;
	double weight;
	double weight_squares; /* sum over samples; count * weight^2 where all are equal */
	double divisor;        /* of rates; > 0 */
	double factor;         /* what values are multiplied by before they are compared; 1 as a rule; > 0 */
};

struct compare_scale {
	enum compare_kind kind;
	double z; /* compare_z() of the confidence wanted */
	struct compare_whole whole[COMPARE_SIDES];
};

struct comparison {
	double value[COMPARE_SIDES];         /* shares from 0 to 1, or rates; with the factor in them */
	double delta, low, high;             /* after - before, and its interval */
	double ratio, ratio_low, ratio_high; /* after / before; INFINITY and NAN as division has it */
	double chance; /* of a difference at least as large if there was none: 0 to 1, two-sided */
};

/* How many standard deviations to each side hold `confidence` (0 < c < 1) of a normal distribution: 0.95 -> 1.96. */
double compare_z(double confidence);

/* `weight` of each side is that of the thing itself. */
struct comparison compare(const struct compare_scale *scale, const double weight[COMPARE_SIDES]);

/* The value of each recording, where a side has several. */
struct compare_runs {
	const double *values[COMPARE_SIDES];
	size_t count[COMPARE_SIDES];
};

/* Takes into account how much recordings of one side differ; nothing where either has one only. */
void compare_widen(struct comparison *comparison, double confidence, const struct compare_runs *runs);

/* Replaces probabilities of single comparisons by those of all together: reject where what comes out is below alpha. */
void compare_adjust(double *chances, size_t count);

/* The part in percent; 0 of nothing. */
double compare_percent(double part, double whole);

#endif
