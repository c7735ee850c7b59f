#include "profile/compare.h"

#include <math.h>

#include "support/cmocka.h"

#define assert_near(value, expected, within) \
	assert_true(fabs((double)(value) - (double)(expected)) <= (double)(within))

/* Each sample has weight 1. */
static struct compare_scale scale_of(enum compare_kind kind, uint64_t before, uint64_t after)
{
	struct compare_scale scale = compare_scale_of(kind, 0.95);

	scale.whole[COMPARE_BEFORE] = (struct compare_whole){ before, (double)before, (double)before, 1, 1 };
	scale.whole[COMPARE_AFTER] = (struct compare_whole){ after, (double)after, (double)after, 1, 1 };
	return scale;
}

static struct comparison compare_counts(const struct compare_scale *scale, double before, double after)
{
	return compare(scale, (const double[]){ before, after }, NULL);
}

static void ninety_five_percent_lie_within_1_96_deviations(void **state)
{
	(void)state;
	assert_near(compare_z(0.95), 1.959963985, 1e-8);
	assert_near(compare_z(0.99), 2.575829304, 1e-8);
	assert_near(compare_z(0.6826894921), 1, 1e-8);
}

/* Newcombe 1998, table II, method 10: (a) 56/70 - 48/80, (h) 10/10 - 0/10, and (f) 0/10 - 0/10. */
static void intervals_of_shares_are_those_that_newcombe_published(void **state)
{
	struct compare_scale a = scale_of(COMPARE_SHARES, 80, 70), h = scale_of(COMPARE_SHARES, 10, 10);
	struct comparison comparison = compare_counts(&a, 48, 56);

	(void)state;
	assert_near(comparison.value[COMPARE_BEFORE], 0.6, 1e-12);
	assert_near(comparison.value[COMPARE_AFTER], 0.8, 1e-12);
	assert_near(comparison.delta, 0.2, 1e-12);
	assert_near(comparison.low, 0.0524, 5e-5);
	assert_near(comparison.high, 0.3339, 5e-5);
	comparison = compare_counts(&h, 0, 10);
	assert_near(comparison.low, 0.6075, 5e-5);
	assert_near(comparison.high, 1, 1e-9);
	comparison = compare_counts(&h, 0, 0);
	assert_near(comparison.low, -0.2775, 5e-5);
	assert_near(comparison.high, 0.2775, 5e-5);
}

/* The probabilities are ratios of sums of whole numbers, computed with exact arithmetic. */
static void chance_of_shares_is_that_of_fishers_test(void **state)
{
	struct compare_scale tea = scale_of(COMPARE_SHARES, 4, 4),
			     large = scale_of(COMPARE_SHARES, 2000, 2000);
	struct compare_scale uneven = scale_of(COMPARE_SHARES, 1000, 3000),
			     a = scale_of(COMPARE_SHARES, 80, 70);

	(void)state;
	assert_near(compare_counts(&tea, 3, 1).chance, 0.4857142857, 1e-9);
	assert_near(compare_counts(&a, 48, 56).chance, 0.01264942226, 1e-10);
	assert_near(compare_counts(&large, 400, 600).chance / 3.2163794441785e-13, 1, 1e-6);
	assert_near(compare_counts(&uneven, 100, 300).chance, 1, 1e-12);
}

static void chance_of_rates_is_that_of_the_binomial_test(void **state)
{
	struct compare_scale even = scale_of(COMPARE_RATES, 1000, 1000), longer = even;
	struct comparison comparison = compare_counts(&even, 100, 140);

	(void)state;
	longer.whole[COMPARE_AFTER].divisor =
		2; /* twice the time: half the rate, two thirds of the exposure */
	assert_near(compare_counts(&even, 5, 0).chance, 0.0625, 1e-12);
	assert_near(comparison.chance, 0.01166409232, 1e-10);
	assert_near(comparison.low, 9.6196113849, 1e-6);
	assert_near(comparison.high, 70.829301532, 1e-6);
	assert_near(comparison.ratio, 1.4, 1e-12);
	assert_near(comparison.ratio_low, 1.0838848661, 1e-8);
	assert_near(comparison.ratio_high, 1.8083101456, 1e-8);
	assert_near(compare_counts(&longer, 100, 140).chance, 0.00851332749, 1e-10);
	assert_near(compare_counts(&longer, 100, 140).delta, -30, 1e-9);
}

/* Three quarters of the weight are in a tenth of the samples, so ten samples tell as much as four of equal weight. */
static void samples_of_different_weight_tell_less(void **state)
{
	struct compare_scale equal = scale_of(COMPARE_SHARES, 4, 4), unequal = equal;
	struct comparison a, b;

	(void)state;
	for (int side = 0; side < COMPARE_SIDES; side++)
		unequal.whole[side] = (struct compare_whole){ 10, 100, 2500, 1, 1 };
	a = compare_counts(&equal, 1, 3);
	b = compare_counts(&unequal, 25, 75);
	assert_near(b.delta, a.delta, 1e-12);
	assert_near(b.low, a.low, 1e-12);
	assert_near(b.high, a.high, 1e-12);
	assert_near(b.chance, a.chance, 1e-12);
}

static void more_samples_than_exact_tests_can_count_are_compared_as_well(void **state)
{
	struct compare_scale large = scale_of(COMPARE_RATES, 4000000, 4000000);

	(void)state;
	assert_near(compare_counts(&large, 1000000, 1000000 + 1.959963985 * sqrt(2000000)).chance, 0.05,
		    2e-4);
}

static void nothing_sampled_is_nothing_known(void **state)
{
	struct compare_scale scale = scale_of(COMPARE_SHARES, 0, 100);
	struct comparison comparison = compare_counts(&scale, 0, 50);

	(void)state;
	assert_true(comparison.chance == 1);
	assert_true(comparison.value[COMPARE_BEFORE] == 0);
	assert_true(comparison.ratio_high == INFINITY);
}

/* Holm 1979: 0.01 * 4, 0.02 * 3, 0.03 * 2 (but not less than the one before), 0.9. */
static void each_of_many_comparisons_has_to_be_surer(void **state)
{
	double chances[] = { 0.03, 0.01, 0.9, 0.02 };

	(void)state;
	compare_adjust(chances, 4);
	assert_near(chances[1], 0.04, 1e-12);
	assert_near(chances[3], 0.06, 1e-12);
	assert_near(chances[0], 0.06, 1e-12);
	assert_near(chances[2], 0.9, 1e-12);
	compare_adjust(chances, 0);
}

/* Welch: t = 3 / sqrt(2/3) with 4 degrees of freedom; 95% of Student's distribution lie within 2.776445. */
static void recordings_of_a_side_tell_how_much_runs_differ(void **state)
{
	const double before[] = { 1, 2, 3 }, after[] = { 4, 5, 6 };
	const struct compare_runs runs = { { before, after }, { 3, 3 } };
	struct comparison comparison = { .delta = 3,
					 .low = 2.9,
					 .high = 3.1,
					 .ratio = 2.5,
					 .ratio_low = 2.4,
					 .ratio_high = 2.6,
					 .chance = 1e-9 };

	(void)state;
	compare_widen(&comparison, 0.95, &runs);
	assert_near(comparison.low, 3 - 2.776445105 * sqrt(2.0 / 3), 1e-7);
	assert_near(comparison.high, 3 + 2.776445105 * sqrt(2.0 / 3), 1e-7);
	assert_near(comparison.chance, 0.02131164113, 1e-9);
	assert_true(comparison.ratio_low < 2.4);
	assert_near(comparison.ratio_low * comparison.ratio_high, 2.5 * 2.5, 1e-9);
}

/* If recordings are equal, their number changes nothing: the interval from samples stays. */
static void recordings_that_are_alike_take_nothing_back(void **state)
{
	const double one[] = { 1, 1, 1 }, none[] = { 0, 0 };
	const struct comparison known = { .delta = 1,
					  .low = 0.5,
					  .high = 1.5,
					  .ratio = INFINITY,
					  .ratio_low = 2,
					  .ratio_high = INFINITY,
					  .chance = 0.25 };
	struct comparison comparison = known;

	(void)state;
	compare_widen(&comparison, 0.95, &(struct compare_runs){ { none, one }, { 2, 3 } });
	assert_true(comparison.low == 0.5 && comparison.high == 1.5);
	assert_true(comparison.chance == 0.25);
	comparison = known;
	compare_widen(&comparison, 0.95, &(struct compare_runs){ { none, one }, { 1, 3 } });
	assert_true(comparison.low == 0.5 && comparison.ratio_low == 2);
}

/* 16 slices of 100 samples for each side; 20% of the samples are the thing's, and lie in every other slice. */
struct slices {
	double part[COMPARE_SIDES][COMPARE_SLICES], whole[COMPARE_SIDES][COMPARE_SLICES];
};

static struct comparison compare_every_other(unsigned before, unsigned after, double count)
{
	struct compare_scale scale = scale_of(COMPARE_SHARES, 1600, 1600);
	struct slices slices = { 0 };
	struct compare_slices view;

	for (int side = 0; side < COMPARE_SIDES; side++) {
		view.part[side] = slices.part[side];
		view.whole[side] = slices.whole[side];
		for (unsigned i = 0; i < COMPARE_SLICES; i++) {
			slices.whole[side][i] = 100;
			if (i % 2 == (side ? after : before))
				slices.part[side][i] = (side ? count : 320) / 8;
		}
	}
	return compare(&scale, (const double[]){ 320, count }, &view);
}

/*
 * In each slice the shares differ by 40 of 1600, alternately to either side: 16 * 0.025^2 * 16 / 15 = 0.0106667. Independent
 * samples would have 2 * 0.2 * 0.8 / 1600 = 0.0002, so 53 1/3 samples tell as much as one of those.
 */
static void slices_that_vary_make_samples_tell_less(void **state)
{
	struct compare_scale few = scale_of(COMPARE_SHARES, 30, 30);
	struct comparison varied = compare_every_other(0, 1, 320), expected;

	(void)state;
	assert_near(few.t, 2.131449546, 1e-8);
	few.z = few.t;
	expected = compare_counts(&few, 6, 6);
	assert_near(varied.dispersion, 160.0 / 3, 1e-9);
	assert_near(varied.low, expected.low, 1e-12);
	assert_near(varied.high, expected.high, 1e-12);
	assert_near(varied.ratio_high, expected.ratio_high, 1e-9);
	/* 480 instead of 320 samples: 0.1 in deviations of sqrt(1 / 60) is t = 0.7746 with 15 degrees of freedom */
	varied = compare_every_other(0, 1, 480);
	assert_near(varied.chance, 0.4506161748, 1e-9);
	assert_true(varied.sampling_chance < 1e-9);
}

static void phases_that_both_sides_have_take_nothing_back(void **state)
{
	struct compare_scale scale = scale_of(COMPARE_SHARES, 1600, 1600);
	struct comparison alike = compare_every_other(0, 0, 320),
			  independent = compare_counts(&scale, 320, 320);

	(void)state;
	assert_near(alike.dispersion, 1, 0);
	assert_near(alike.low, independent.low, 1e-12);
	assert_near(alike.high, independent.high, 1e-12);
	/* 1.5 times as many are 10 of 1600 more or less than everywhere: sqrt(0.01 / 15) with 15 degrees of freedom */
	alike = compare_every_other(0, 0, 480);
	assert_near(alike.dispersion, 0.01 / 15 / 0.00023125, 1e-9);
	assert_near(alike.chance, 0.0015017735, 1e-9);
}

static void percent_of_nothing_is_none(void **state)
{
	(void)state;
	assert_true(compare_percent(1, 4) == 25);
	assert_true(compare_percent(1, 0) == 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(ninety_five_percent_lie_within_1_96_deviations),
		cmocka_unit_test(intervals_of_shares_are_those_that_newcombe_published),
		cmocka_unit_test(chance_of_shares_is_that_of_fishers_test),
		cmocka_unit_test(chance_of_rates_is_that_of_the_binomial_test),
		cmocka_unit_test(samples_of_different_weight_tell_less),
		cmocka_unit_test(more_samples_than_exact_tests_can_count_are_compared_as_well),
		cmocka_unit_test(nothing_sampled_is_nothing_known),
		cmocka_unit_test(each_of_many_comparisons_has_to_be_surer),
		cmocka_unit_test(recordings_of_a_side_tell_how_much_runs_differ),
		cmocka_unit_test(recordings_that_are_alike_take_nothing_back),
		cmocka_unit_test(slices_that_vary_make_samples_tell_less),
		cmocka_unit_test(phases_that_both_sides_have_take_nothing_back),
		cmocka_unit_test(percent_of_nothing_is_none),
	};

	return cmocka_run_group_tests_name("profile/compare", tests, NULL, NULL);
}
