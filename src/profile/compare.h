#ifndef XPROF_PROFILE_COMPARE_H
#define XPROF_PROFILE_COMPARE_H

/*
 * Tells a difference from noise. Takes the samples of one thing in two recordings and tells by how much they
 * differ, how exactly that is known, and how likely it is by chance.
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
 * Samples are not quite drawn independently: programs have phases, and what else runs on the machine comes
 * and goes. So both sides are cut into the same number of slices in order of time, and compared slice by
 * slice: differences of slices that vary by more than independent samples would make a difference of the sums
 * that is known less exactly. Common variation, such as the phases of one program, cancels out.
 *
 *   variance over slices    of a sum of differences of slices, by how much they vary (batch means); where it is larger than
 *                           that of independent samples, counts are divided by the ratio of both, and Student's
 *                           distribution takes the place of the normal one
 *
 * With one recording of each side all of that is about what happened within these recordings: what differs between two
 * runs of one program from beginning to end (caches, other programs, the layout of memory) cannot be known from them.
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
	double confidence; /* 0 < c < 1 */
	double z,
		t; /* beyond which lies what it leaves: of the normal distribution, of Student's over slices */
	struct compare_whole whole[COMPARE_SIDES];
};

/* In how many slices recordings are compared: enough to estimate a variance, each longer than what disturbs a program. */
enum { COMPARE_SLICES = 16 };

/* COMPARE_SLICES weights of each side, in order of time: of the thing itself, and of everything that was sampled. */
struct compare_slices {
	const double *part[COMPARE_SIDES];
	const double *whole[COMPARE_SIDES];
};

struct comparison {
	double value[COMPARE_SIDES];         /* shares from 0 to 1, or rates; with the factor in them */
	double delta, low, high;             /* after - before, and its interval */
	double ratio, ratio_low, ratio_high; /* after / before; INFINITY and NAN as division has it */
	double chance;          /* of a difference at least as large if there was none: 0 to 1, two-sided */
	double sampling_chance; /* the same if samples were independent: never more than `chance` */
	double dispersion;      /* so many samples tell as much as one independent one; 1 at least */
};

/* How many standard deviations to each side hold `confidence` (0 < c < 1) of a normal distribution: 0.95 -> 1.96. */
double compare_z(double confidence);

/* For any number of comparisons; without the wholes. */
struct compare_scale compare_scale_of(enum compare_kind kind, double confidence);

/* `weight` of each side is that of the thing itself. `slices` may be NULL: samples are taken to be independent then. */
struct comparison compare(const struct compare_scale *scale, const double weight[COMPARE_SIDES],
			  const struct compare_slices *slices);

/* The same where the dispersion is known, as that of a part from the thing that it is a part of. */
struct comparison compare_dispersed(const struct compare_scale *scale, const double weight[COMPARE_SIDES],
				    double dispersion);

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
