/*
 * Checks that intervals keep their promise: a deterministic generator draws recordings from known shares, and the tests count how
 * often the interval of the difference contains the true one.
 */

#include <math.h>
#include <stdbool.h>

#include "profile/compare.h"
#include "support/cmocka.h"

enum { REPEATS = 4000, SLICE_SAMPLES = 60, SAMPLES = SLICE_SAMPLES * COMPARE_SLICES, MAX_RUNS = 10 };

struct generator {
	uint64_t state;
};

/* A number from 0 to 1: splitmix64. */
static double draw(struct generator *generator)
{
	uint64_t z = generator->state += 0x9e3779b97f4a7c15;

	z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
	z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
	return (double)((z ^ (z >> 31)) >> 11) * 0x1p-53;
}

/* A number with mean 0 and deviation 1. */
static double draw_normal(struct generator *generator)
{
	return sqrt(-2 * log(1 - draw(generator))) * cos(2 * acos(-1.0) * draw(generator));
}

static double draw_binomial(struct generator *generator, unsigned count, double share)
{
	unsigned hits = 0;

	while (count--)
		hits += draw(generator) < share;
	return hits;
}

/* A program and how its share varies. */
struct world {
	double share[COMPARE_SIDES];
	double phases; /* the share is larger in one half of the run and smaller in the other, by this part of it */
	double bursts; /* random deviation of slices from that, new for each recording */
	double runs;   /* the same for whole recordings */
};

struct drawn {
	double part[COMPARE_SIDES][COMPARE_SLICES], whole[COMPARE_SIDES][COMPARE_SLICES];
	double weight[COMPARE_SIDES];
};

static void draw_side(struct generator *generator, const struct world *world, int side, struct drawn *drawn)
{
	const double run = 1 + world->runs * draw_normal(generator);

	drawn->weight[side] = 0;
	for (int i = 0; i < COMPARE_SLICES; i++) {
		double share = world->share[side] * run *
			       (1 + (i < COMPARE_SLICES / 2 ? world->phases : -world->phases)) *
			       (1 + world->bursts * draw_normal(generator));

		drawn->whole[side][i] = SLICE_SAMPLES;
		drawn->part[side][i] = draw_binomial(generator, SLICE_SAMPLES, share);
		drawn->weight[side] += drawn->part[side][i];
	}
}

static struct compare_scale scale_of_samples(double samples)
{
	struct compare_scale scale = compare_scale_of(COMPARE_SHARES, 0.95);

	for (int side = 0; side < COMPARE_SIDES; side++)
		scale.whole[side] = (struct compare_whole){ (uint64_t)samples, samples, samples, 1, 1 };
	return scale;
}

/* Percent of intervals that contain the true difference; *claimed: percent of differences that are significant at 95%. */
static double coverage_of_one(const struct world *world, bool with_slices, double *claimed)
{
	const struct compare_scale scale = scale_of_samples(SAMPLES);
	const double truth = world->share[COMPARE_AFTER] - world->share[COMPARE_BEFORE];
	struct generator generator = { 1 };
	unsigned covered = 0, claims = 0;

	for (int i = 0; i < REPEATS; i++) {
		struct drawn drawn;
		const struct compare_slices slices = { { drawn.part[0], drawn.part[1] },
						       { drawn.whole[0], drawn.whole[1] } };
		struct comparison comparison;

		draw_side(&generator, world, COMPARE_BEFORE, &drawn);
		draw_side(&generator, world, COMPARE_AFTER, &drawn);
		comparison = compare(&scale, drawn.weight, with_slices ? &slices : NULL);
		covered += comparison.low <= truth && truth <= comparison.high;
		claims += comparison.chance < 0.05;
	}
	*claimed = compare_percent(claims, REPEATS);
	return compare_percent(covered, REPEATS);
}

/* The same with `count` recordings of each side. */
static double coverage_of_several(const struct world *world, size_t count, double *claimed)
{
	const struct compare_scale scale = scale_of_samples((double)count * SAMPLES);
	const double truth = world->share[COMPARE_AFTER] - world->share[COMPARE_BEFORE];
	struct generator generator = { 1 };
	unsigned covered = 0, claims = 0;

	for (int i = 0; i < REPEATS; i++) {
		double values[COMPARE_SIDES][MAX_RUNS], weight[COMPARE_SIDES] = { 0 };
		const struct compare_runs runs = { { values[0], values[1] }, { count, count } };
		struct comparison comparison;
		struct drawn drawn;

		for (size_t run = 0; run < count; run++)
			for (int side = 0; side < COMPARE_SIDES; side++) {
				draw_side(&generator, world, side, &drawn);
				values[side][run] = drawn.weight[side] / SAMPLES;
				weight[side] += drawn.weight[side];
			}
		comparison = compare(&scale, weight, NULL);
		compare_widen(&comparison, 0.95, &runs);
		covered += comparison.low <= truth && truth <= comparison.high;
		claims += comparison.chance < 0.05;
	}
	*claimed = compare_percent(claims, REPEATS);
	return compare_percent(covered, REPEATS);
}

static void assert_between(const char *what, double value, double low, double high)
{
	print_message("%s: %.1f%%\n", what, value);
	assert_true(value >= low && value <= high);
}

static void intervals_of_independent_samples_hold_what_they_promise(void **state)
{
	const struct world same = { .share = { 0.2, 0.2 } }, differs = { .share = { 0.1, 0.2 } };
	double claimed;

	(void)state;
	assert_between("independent, alike", coverage_of_one(&same, true, &claimed), 93, 97);
	assert_between("of which claimed", claimed, 0, 5);
	assert_between("independent, 10% and 20%", coverage_of_one(&differs, true, &claimed), 93, 97);
	assert_between("of which claimed", claimed, 99, 100);
}

static void so_do_those_of_samples_that_come_in_bursts(void **state)
{
	const struct world same = { .share = { 0.3, 0.3 }, .bursts = 0.5 };
	const struct world differs = { .share = { 0.15, 0.3 }, .bursts = 0.5 };
	double claimed;

	(void)state;
	assert_between("bursts, alike, samples taken for independent",
		       coverage_of_one(&same, false, &claimed), 0, 85);
	assert_between("of which claimed", claimed, 15, 100);
	assert_between("bursts, alike", coverage_of_one(&same, true, &claimed), 93, 97);
	assert_between("of which claimed", claimed, 0, 6);
	assert_between("bursts, 15% and 30%", coverage_of_one(&differs, true, &claimed), 93, 97);
	assert_between("of which claimed", claimed, 80, 100);
}

/* Phases are not random, so samples of a program with phases tell more than independent ones. */
static void phases_of_a_program_make_intervals_no_wider(void **state)
{
	const struct world same = { .share = { 0.2, 0.2 }, .phases = 0.5 };
	const struct world differs = { .share = { 0.2, 0.3 }, .phases = 0.5 };
	double claimed;

	(void)state;
	assert_between("phases, alike", coverage_of_one(&same, true, &claimed), 93, 99);
	assert_between("of which claimed", claimed, 0, 5);
	assert_between("phases, 20% and 30%", coverage_of_one(&differs, true, &claimed), 93, 99);
	assert_between("of which claimed", claimed, 95, 100);
}

static void several_recordings_hold_what_runs_differ_by(void **state)
{
	const struct world same = { .share = { 0.3, 0.3 }, .runs = 0.2 };
	const struct world differs = { .share = { 0.2, 0.4 }, .runs = 0.1 };
	double claimed;

	(void)state;
	assert_between("runs differ, one of each", coverage_of_one(&same, true, &claimed), 0, 75);
	assert_between("runs differ, 3 of each", coverage_of_several(&same, 3, &claimed), 93, 98);
	assert_between("of which claimed", claimed, 0, 5);
	assert_between("runs differ, 10 of each", coverage_of_several(&same, 10, &claimed), 93, 97);
	assert_between("of which claimed", claimed, 0, 6);
	assert_between("runs differ, 20% and 40%, 5 of each", coverage_of_several(&differs, 5, &claimed), 93,
		       97);
	assert_between("of which claimed", claimed, 95, 100);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(intervals_of_independent_samples_hold_what_they_promise),
		cmocka_unit_test(so_do_those_of_samples_that_come_in_bursts),
		cmocka_unit_test(phases_of_a_program_make_intervals_no_wider),
		cmocka_unit_test(several_recordings_hold_what_runs_differ_by),
	};

	return cmocka_run_group_tests_name("profile/compare_coverage", tests, NULL, NULL);
}
