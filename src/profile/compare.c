/*
 * compare() turns each side into a number of equal samples, estimates the dispersion from the slices, divides the counts by
 * it, and then computes intervals, ratio and chance in compare_dispersed(). The sections above them are the methods that the
 * header lists; compare_widen() and compare_adjust() come last because they need finished comparisons.
 */
#include "profile/compare.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

#include "base/xalloc.h"

/* For more samples of one thing the normal distribution is as good as the exact ones. */
#define EXACT_COUNT_MAX 1e6

double compare_percent(double part, double whole)
{
	return whole > 0 ? 100.0 * part / whole : 0;
}

/* erf() increases, so halving finds where it reaches the confidence. */
double compare_z(double confidence)
{
	double low = 0, high = 40; /* erf is 1 in doubles from 6 on */

	for (int i = 0; i < 100; i++) {
		double middle = (low + high) / 2;

		if (erf(middle / sqrt(2)) < confidence)
			low = middle;
		else
			high = middle;
	}
	return high;
}

/* --- Student's distribution ------------------------------------------------------ */

/* The continued fraction of the incomplete beta function (DLMF 8.17.22), by the modified Lentz method. */
static double beta_fraction(double a, double b, double x)
{
	enum { MAX_STEPS = 1000 };
	const double tiny = 1e-300;
	double c = 1, d = 1 - (a + b) * x / (a + 1), value;

	d = 1 / (fabs(d) < tiny ? tiny : d);
	value = d;
	for (int m = 1; m <= MAX_STEPS; m++) {
		const double even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m));
		const double odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1));

		d = 1 + even * d;
		c = 1 + even / c;
		d = 1 / (fabs(d) < tiny ? tiny : d);
		c = fabs(c) < tiny ? tiny : c;
		value *= d * c;
		d = 1 + odd * d;
		c = 1 + odd / c;
		d = 1 / (fabs(d) < tiny ? tiny : d);
		c = fabs(c) < tiny ? tiny : c;
		value *= d * c;
		if (fabs(d * c - 1) < 1e-15)
			break;
	}
	return value;
}

/* DLMF 8.17.8 and 8.17.4 */
static double incomplete_beta(double a, double b, double x)
{
	double front;
	int sign;

	if (x <= 0 || x >= 1)
		return x <= 0 ? 0 : 1;
	front = exp(lgamma_r(a + b, &sign) - lgamma_r(a, &sign) - lgamma_r(b, &sign) + a * log(x) +
		    b * log1p(-x));
	if (x < (a + 1) / (a + b + 2))
		return front * beta_fraction(a, b, x) / a;
	return 1 - front * beta_fraction(b, a, 1 - x) / b;
}

/* The chance of a deviation of at least t to either side, by Student's distribution. */
static double student_chance(double t, double freedom)
{
	return incomplete_beta(freedom / 2, 0.5, freedom / (freedom + t * t));
}

/* The t that is exceeded, to either side, with the probability that the confidence leaves. */
static double student_t(double confidence, double freedom)
{
	double low = 1e-9,
	       high = 1e12; /* bisected in logarithms: with one degree of freedom t can be anything */

	for (int i = 0; i < 100; i++) {
		double middle = sqrt(low * high);

		if (1 - student_chance(middle, freedom) < confidence)
			low = middle;
		else
			high = middle;
	}
	return high;
}

struct compare_scale compare_scale_of(enum compare_kind kind, double confidence)
{
	return (struct compare_scale){
		.kind = kind,
		.confidence = confidence,
		.z = compare_z(confidence),
		.t = student_t(confidence, COMPARE_SLICES - 1),
	};
}

/* --- one side ----------------------------------------------------------------- */

/* One side, in equal samples. */
struct side {
	double count; /* of the thing */
	double all;   /* of everything */
	double unit;  /* value of one sample */
	double low, high;
};

/* The number of samples if all were equal, at most the real number. */
static double equal_samples(const struct compare_whole *whole)
{
	double all;

	if (!(whole->weight > 0))
		return 0;
	if (!(whole->weight_squares > 0))
		return (double)whole->count;
	all = whole->weight * whole->weight / whole->weight_squares;
	return all < (double)whole->count ? all : (double)whole->count;
}

static void set_share_interval(struct side *side, double z)
{
	double n = side->all, p = side->count / n, z2 = z * z;
	double middle = (p + z2 / (2 * n)) / (1 + z2 / n);
	double half = z * sqrt(p * (1 - p) / n + z2 / (4 * n * n)) / (1 + z2 / n);

	side->low = fmax(0, middle - half) * n * side->unit;
	side->high = fmin(1, middle + half) * n * side->unit;
}

static void set_rate_interval(struct side *side, double z)
{
	double middle = side->count + z * z / 2, half = z * sqrt(side->count + z * z / 4);

	side->low = fmax(0, middle - half) * side->unit;
	side->high = (middle + half) * side->unit;
}

static struct side side_of(const struct compare_scale *scale, int number, double weight)
{
	const struct compare_whole *whole = &scale->whole[number];
	struct side side = { .all = equal_samples(whole) };
	double divisor = scale->kind == COMPARE_SHARES ? whole->weight : whole->divisor;

	if (!(side.all > 0) || !(divisor > 0)) {
		side.all = 0;
		return side; /* nothing was sampled, so nothing is known */
	}
	side.count = fmin(weight / whole->weight, 1) * side.all;
	side.unit = whole->weight / side.all / divisor * whole->factor;
	return side;
}

static void set_interval(struct side *side, enum compare_kind kind, double z)
{
	if (!(side->all > 0))
		return;
	if (kind == COMPARE_SHARES)
		set_share_interval(side, z);
	else
		set_rate_interval(side, z);
}

/* Variance of the value, if samples are independent. */
static double variance_of(const struct side *side, enum compare_kind kind)
{
	double variance = side->count * side->unit * side->unit;

	return kind == COMPARE_SHARES && side->all > 0 ? variance * (1 - side->count / side->all) : variance;
}

/* --- chance ------------------------------------------------------------------- */

/*
 * Both tests sum the tail of a distribution of the later side's count, `after` of `sum` in all: its terms from there outwards,
 * each computed from the previous one with a ratio, until they no longer matter.
 */
struct tail {
	double sum, after;
	double probability;    /* that a sample is in the later side: binomial ... */
	double all, all_after; /* ... or, if > 0: drawn from `all` samples, `all_after` of the later side */
};

/* P(x + 1) / P(x) */
static double ratio_up(const struct tail *tail, double x)
{
	if (tail->all > 0)
		return (tail->sum - x) * (tail->all_after - x) /
		       ((x + 1) * (tail->all - tail->sum - tail->all_after + x + 1));
	return (tail->sum - x) * tail->probability / ((x + 1) * (1 - tail->probability));
}

/* log of n over k */
static double log_choices(double n, double k)
{
	int sign;

	return lgamma_r(n + 1, &sign) - lgamma_r(k + 1, &sign) - lgamma_r(n - k + 1, &sign);
}

static double first_term(const struct tail *tail)
{
	double x = tail->after;

	if (tail->all > 0)
		return exp(log_choices(tail->sum, x) +
			   log_choices(tail->all - tail->sum, tail->all_after - x) -
			   log_choices(tail->all, tail->all_after));
	return exp(log_choices(tail->sum, x) + x * log(tail->probability) +
		   (tail->sum - x) * log1p(-tail->probability));
}

static double sum_of_tail(const struct tail *tail, double mean)
{
	const double step = tail->after >= mean ? 1 : -1;
	double x = tail->after, term = first_term(tail), total = 0;

	while (term > 0 && term > total * 1e-17) {
		double ratio;

		total += term;
		if (x + step < 0 || x + step > tail->sum)
			break;
		ratio = step > 0 ? ratio_up(tail, x) : 1 / ratio_up(tail, x - 1);
		if (!(ratio > 0) || !isfinite(ratio))
			break;
		term *= ratio;
		x += step;
	}
	return fmin(1, 2 * total);
}

/* Both values estimate the same quantity, so their distance is measured in standard deviations of the difference. */
static double normal_chance(const struct side *before, const struct side *after)
{
	double variance =
		before->count * before->unit * before->unit + after->count * after->unit * after->unit;
	double delta = after->count * after->unit - before->count * before->unit;

	return variance > 0 ? erfc(fabs(delta) / sqrt(2 * variance)) : 1;
}

static double chance_of(const struct compare_scale *scale, const struct side *before,
			const struct side *after)
{
	struct tail tail = { .sum = round(before->count) + round(after->count),
			     .after = round(after->count) };
	double mean;

	if (!(before->all > 0) || !(after->all > 0) || !(tail.sum > 0))
		return 1;
	if (tail.sum > EXACT_COUNT_MAX)
		return normal_chance(before, after);
	tail.probability = before->unit / (before->unit + after->unit);
	mean = tail.sum * tail.probability;
	if (scale->kind == COMPARE_SHARES && scale->whole[0].factor == scale->whole[1].factor) {
		tail.all_after = round(after->all);
		tail.all = round(before->all) + tail.all_after;
		mean = tail.sum * tail.all_after / tail.all;
	}
	return sum_of_tail(&tail, mean);
}

/* --- slices ------------------------------------------------------------------- */

/* The difference between a slice's value and the value if the thing were spread as everything is. */
static double excess_of(const struct compare_scale *scale, const struct compare_slices *slices, int side,
			const double weight[COMPARE_SIDES], size_t slice)
{
	const struct compare_whole *whole = &scale->whole[side];
	double divisor = scale->kind == COMPARE_SHARES ? whole->weight : whole->divisor;
	double expected = weight[side] * slices->whole[side][slice] / whole->weight;

	return (slices->part[side][slice] - expected) / divisor * whole->factor;
}

/* Variance of the difference, estimated from how much the slices' differences vary around their mean. */
static double variance_over_slices(const struct compare_scale *scale, const double weight[COMPARE_SIDES],
				   const struct compare_slices *slices)
{
	double squares = 0;

	for (size_t i = 0; i < COMPARE_SLICES; i++) {
		double excess = excess_of(scale, slices, COMPARE_AFTER, weight, i) -
				excess_of(scale, slices, COMPARE_BEFORE, weight, i);

		squares += excess * excess;
	}
	return squares * COMPARE_SLICES / (COMPARE_SLICES - 1);
}

/*
 * Slices of independent samples vary by chance, too: their ratio of variances exceeds this in a tenth of all cases (chi-square
 * with 15 degrees of freedom). Smaller ratios count as 1. If every ratio above 1 widened intervals, 96.5% of those of 95% would
 * contain the true value for independent samples; with this limit it is 95.4%, and 93.3% if samples depend on each other so
 * little that slices show it only half of the time.
 */
static const double chance_dispersion = 1.5;

/* The number of samples that together tell as much as one independent sample. */
static double dispersion_of(const struct compare_scale *scale, const double weight[COMPARE_SIDES],
			    const struct compare_slices *slices, double independent)
{
	double dispersion;

	if (!(scale->whole[COMPARE_BEFORE].weight > 0) || !(scale->whole[COMPARE_AFTER].weight > 0) ||
	    !(independent > 0))
		return 1;
	dispersion = variance_over_slices(scale, weight, slices) / independent;
	return dispersion > chance_dispersion ? dispersion : 1;
}

static void disperse(struct side *side, double dispersion)
{
	side->count /= dispersion;
	side->all /= dispersion;
	side->unit *= dispersion;
}

/* --- the whole ---------------------------------------------------------------- */

/* The later side has a share of all samples of the thing. The score interval of that share gives the ratio's. */
static void set_ratio(struct comparison *comparison, double z, const struct side *before,
		      const struct side *after)
{
	struct side share = { .count = after->count, .all = before->count + after->count };
	double units;

	comparison->ratio = comparison->value[COMPARE_AFTER] / comparison->value[COMPARE_BEFORE];
	comparison->ratio_low = 0;
	comparison->ratio_high = INFINITY;
	if (!(share.all > 0) || !(before->all > 0) || !(after->all > 0))
		return;
	share.unit = 1 / share.all;
	set_share_interval(&share, z);
	units = after->unit / before->unit;
	comparison->ratio_low = share.low / (1 - share.low) * units;
	comparison->ratio_high = share.high < 1 ? share.high / (1 - share.high) * units : INFINITY;
}

/*
 * An estimated variance has the degrees of freedom of the slices. A variance that was raised to that of independent samples is
 * at least as certain as an estimate with twice as many degrees.
 */
static double chance_over_slices(double delta, double variance, bool estimated)
{
	enum { FREEDOM = COMPARE_SLICES - 1 };

	return variance > 0 ?
		       student_chance(fabs(delta) / sqrt(variance), estimated ? FREEDOM : 2 * FREEDOM) :
		       0;
}

struct comparison compare_dispersed(const struct compare_scale *scale, const double weight[COMPARE_SIDES],
				    double dispersion)
{
	struct side before = side_of(scale, COMPARE_BEFORE, weight[COMPARE_BEFORE]);
	struct side after = side_of(scale, COMPARE_AFTER, weight[COMPARE_AFTER]);
	const double old = before.count * before.unit, new = after.count *after.unit;
	const double z = dispersion > 1 ? scale->t : scale->z;
	struct comparison comparison = { .value = { old, new },
					 .delta = new - old,
					 .dispersion = dispersion };

	comparison.sampling_chance = chance_of(scale, &before, &after);
	comparison.chance = comparison.sampling_chance;
	disperse(&before, dispersion);
	disperse(&after, dispersion);
	set_interval(&before, scale->kind, z);
	set_interval(&after, scale->kind, z);
	comparison.low = comparison.delta - hypot(new - after.low, before.high - old);
	comparison.high = comparison.delta + hypot(after.high - new, old - before.low);
	set_ratio(&comparison, z, &before, &after);
	return comparison;
}

struct comparison compare(const struct compare_scale *scale, const double weight[COMPARE_SIDES],
			  const struct compare_slices *slices)
{
	const struct side before = side_of(scale, COMPARE_BEFORE, weight[COMPARE_BEFORE]);
	const struct side after = side_of(scale, COMPARE_AFTER, weight[COMPARE_AFTER]);
	const double independent = variance_of(&before, scale->kind) + variance_of(&after, scale->kind);
	const double dispersion = slices ? dispersion_of(scale, weight, slices, independent) : 1;
	struct comparison comparison = compare_dispersed(scale, weight, dispersion);

	if (slices && before.all > 0 && after.all > 0)
		comparison.chance =
			fmax(comparison.chance,
			     chance_over_slices(comparison.delta, independent * dispersion, dispersion > 1));
	return comparison;
}

/* --- several recordings -------------------------------------------------------- */

struct moments {
	double mean, variance_of_mean;
};

static struct moments moments_of(const double *values, size_t count)
{
	struct moments moments = { 0 };
	double squares = 0;

	for (size_t i = 0; i < count; i++)
		moments.mean += values[i] / (double)count;
	for (size_t i = 0; i < count; i++)
		squares += (values[i] - moments.mean) * (values[i] - moments.mean);
	moments.variance_of_mean = squares / (double)(count - 1) / (double)count;
	return moments;
}

/* Half the interval of the difference of means; 0 if no recording differs from another. */
static double welch(const struct compare_runs *runs, double confidence, double *chance)
{
	struct moments a = moments_of(runs->values[COMPARE_BEFORE], runs->count[COMPARE_BEFORE]);
	struct moments b = moments_of(runs->values[COMPARE_AFTER], runs->count[COMPARE_AFTER]);
	double variance = a.variance_of_mean + b.variance_of_mean, freedom;

	*chance = 0;
	if (!(variance > 0))
		return 0;
	freedom = variance * variance /
		  (a.variance_of_mean * a.variance_of_mean / (double)(runs->count[COMPARE_BEFORE] - 1) +
		   b.variance_of_mean * b.variance_of_mean / (double)(runs->count[COMPARE_AFTER] - 1));
	*chance = student_chance(fabs(b.mean - a.mean) / sqrt(variance), freedom);
	return student_t(confidence, freedom) * sqrt(variance);
}

/* The same for logarithms; infinite if a recording has nothing. */
static double welch_of_ratio(const struct compare_runs *runs, double confidence)
{
	double *logarithms[COMPARE_SIDES], half = 0, unused;
	struct compare_runs of_logarithms = *runs;

	for (int side = 0; side < COMPARE_SIDES; side++) {
		logarithms[side] = xmalloc((runs->count[side] + 1) * sizeof(double));
		of_logarithms.values[side] = logarithms[side];
		for (size_t i = 0; i < runs->count[side]; i++) {
			logarithms[side][i] = log(runs->values[side][i]);
			if (!(runs->values[side][i] > 0))
				half = INFINITY;
		}
	}
	if (half == 0)
		half = welch(&of_logarithms, confidence, &unused);
	free(logarithms[COMPARE_BEFORE]);
	free(logarithms[COMPARE_AFTER]);
	return half;
}

void compare_widen(struct comparison *comparison, double confidence, const struct compare_runs *runs)
{
	double half, chance;

	if (runs->count[COMPARE_BEFORE] < 2 || runs->count[COMPARE_AFTER] < 2)
		return;
	half = welch(runs, confidence, &chance);
	comparison->low = fmin(comparison->low, comparison->delta - half);
	comparison->high = fmax(comparison->high, comparison->delta + half);
	comparison->chance = fmax(comparison->chance, chance);
	half = welch_of_ratio(runs, confidence);
	comparison->ratio_low = fmin(comparison->ratio_low, comparison->ratio * exp(-half));
	comparison->ratio_high = fmax(comparison->ratio_high, comparison->ratio * exp(half));
}

/* --- many --------------------------------------------------------------------- */

static int by_chance(const void *one, const void *other, void *chances)
{
	const double *list = chances;
	double a = list[*(const size_t *)one], b = list[*(const size_t *)other];

	return a < b ? -1 : a > b;
}

/*
 * Holm's adjustment: multiplies the smallest of n chances by n, the next by n - 1, and so on; none becomes less than the one
 * before.
 */
void compare_adjust(double *chances, size_t count)
{
	size_t *order = xmalloc((count + 1) * sizeof(*order)), i;
	double least = 0;

	for (i = 0; i < count; i++)
		order[i] = i;
	qsort_r(order, count, sizeof(*order), by_chance, chances);
	for (i = 0; i < count; i++) {
		least = fmax(least, fmin(1, chances[order[i]] * (double)(count - i)));
		chances[order[i]] = least;
	}
	free(order);
}
