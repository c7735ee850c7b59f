#include "profile/sample_walk.h"

#include "support/cmocka.h"

/* A profile with samples on CPUs 0, 1, ... that have no stacks; sums are added by the test. */
enum { SAMPLES = 4 };

struct fixture {
	struct profile *profile;
	struct sample_sums *sums;
	struct sample_walk walk;
};

static int set_up(void **state)
{
	static struct fixture f;
	uint32_t event;

	f = (struct fixture){ .profile = profile_create(), .sums = sample_sums_create() };
	event = profile_event(f.profile, "cpu-clock", false, 1000);
	for (uint32_t i = 0; i < SAMPLES; i++)
		profile_add(
			f.profile,
			&(struct profile_sample){
				.event = event, .cpu = i, .stack = PROFILE_NONE, .count = 9, .weight = 99 });
	*state = &f;
	return 0;
}

static int tear_down(void **state)
{
	struct fixture *f = *state;

	while (sample_walk_next(&f->walk))
		continue;
	sample_sums_destroy(f->sums);
	profile_destroy(f->profile);
	return 0;
}

static void begin(struct fixture *f)
{
	assert_int_equal(sample_sums_finish(f->sums, NULL), 0);
	sample_walk_init(&f->walk, f->profile, f->sums);
}

static void assert_next(struct fixture *f, uint32_t number, uint32_t stack, uint64_t count, uint64_t weight)
{
	assert_true(sample_walk_next(&f->walk));
	assert_int_equal(f->walk.number, number);
	assert_int_equal(f->walk.sample.cpu, number);
	assert_int_equal(f->walk.sample.stack, stack);
	assert_int_equal(f->walk.sample.count, count);
	assert_int_equal(f->walk.sample.weight, weight);
}

static void samples_of_a_profile_come_as_they_are(void **state)
{
	struct fixture *f = *state;

	sample_walk_init(&f->walk, f->profile, NULL);
	for (uint32_t i = 0; i < SAMPLES; i++)
		assert_next(f, i, PROFILE_NONE, 9, 99);
	assert_false(sample_walk_next(&f->walk));
}

static void sums_come_once_in_order_of_stack_and_sample(void **state)
{
	struct fixture *f = *state;

	sample_sums_add(f->sums, 3, 5, 10);
	sample_sums_add(f->sums, 1, 7, 20);
	sample_sums_add(f->sums, 1, 5, 30);
	sample_sums_add(f->sums, 3, 5, 40);
	begin(f);
	assert_next(f, 1, 5, 1, 30);
	assert_next(f, 3, 5, 2, 50);
	assert_next(f, 1, 7, 1, 20);
	assert_false(sample_walk_next(&f->walk));
}

/* More than fit into the table, so they are in several runs; each is added twice, at a distance. */
static void add_many(struct fixture *f, uint32_t stacks)
{
	for (uint64_t weight = 1; weight <= 2; weight++)
		for (uint32_t stack = stacks; stack-- > 0;)
			for (uint32_t i = 0; i < SAMPLES; i++)
				sample_sums_add(f->sums, i, stack, weight);
}

static void sums_that_went_to_the_file_are_added_up(void **state)
{
	enum { STACKS = 200000 };
	struct fixture *f = *state;

	add_many(f, STACKS);
	assert_true(sample_sums_run_count(f->sums) > 2);
	for (int time = 0; time < 2; time++) {
		begin(f);
		for (uint32_t stack = 0; stack < STACKS; stack++)
			for (uint32_t i = 0; i < SAMPLES; i++)
				assert_next(f, i, stack, 2, 3);
		assert_false(sample_walk_next(&f->walk));
	}
}

static void sums_whose_stacks_have_become_one_are_added_up(void **state)
{
	enum { STACKS = 120000 };
	static const uint32_t samples[SAMPLES] = { 3, 2, 1, 0 };
	static uint32_t stacks[STACKS];
	struct fixture *f = *state;

	for (uint32_t i = 0; i < STACKS; i++)
		stacks[i] = (STACKS - 1 - i) / 2;
	add_many(f, STACKS);
	assert_true(sample_sums_run_count(f->sums) > 1);
	sample_sums_renumber(f->sums, samples, stacks);
	begin(f);
	for (uint32_t stack = 0; stack < STACKS / 2; stack++)
		for (uint32_t i = 0; i < SAMPLES; i++)
			assert_next(f, i, stack, 4, 6);
}

static void numbers_stay_if_there_are_no_new_ones(void **state)
{
	static const uint32_t stacks[] = { 8 };
	struct fixture *f = *state;

	sample_sums_add(f->sums, 2, 0, 10);
	sample_sums_add(f->sums, 2, PROFILE_NONE, 20);
	sample_sums_renumber(f->sums, NULL, stacks);
	begin(f);
	assert_next(f, 2, 8, 1, 10);
	assert_next(f, 2, PROFILE_NONE, 1, 20);
}

static void cleared_sums_are_empty_and_take_samples_again(void **state)
{
	struct fixture *f = *state;

	add_many(f, 120000);
	sample_sums_clear(f->sums);
	sample_sums_add(f->sums, 0, 3, 10);
	begin(f);
	assert_next(f, 0, 3, 1, 10);
	assert_false(sample_walk_next(&f->walk));
}

static void sums_that_are_too_great_stay_at_the_greatest_number(void **state)
{
	struct fixture *f = *state;

	sample_sums_add(f->sums, 0, 3, UINT64_MAX - 1);
	sample_sums_add(f->sums, 0, 3, 5);
	begin(f);
	assert_next(f, 0, 3, 2, UINT64_MAX);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(samples_of_a_profile_come_as_they_are),
		TEST(sums_come_once_in_order_of_stack_and_sample),
		TEST(sums_that_went_to_the_file_are_added_up),
		TEST(sums_whose_stacks_have_become_one_are_added_up),
		TEST(numbers_stay_if_there_are_no_new_ones),
		TEST(cleared_sums_are_empty_and_take_samples_again),
		TEST(sums_that_are_too_great_stay_at_the_greatest_number),
	};

	return cmocka_run_group_tests_name("profile/sample_sums", tests, NULL, NULL);
}
