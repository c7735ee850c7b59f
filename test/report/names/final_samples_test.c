#include "report/names/final_samples.h"

#include <stdlib.h>

#include "support/cmocka.h"

/* Two stacks of one frame each; each test sets their beginnings and numbers. */
enum { STACKS = 2 };

static struct profile *with_event_and_stacks(void)
{
	struct profile *profile = profile_create();

	profile_event(profile, "cycles", true, 4000);
	for (uint32_t i = 0; i < STACKS; i++)
		profile_stack(profile, PROFILE_NONE, profile_location(profile, PROFILE_NONE, i, FRAME_USER),
			      FRAME_SAMPLED);
	return profile;
}

static struct raw_profile *raw_with_event_and_stacks(void)
{
	struct raw_profile *raw = raw_profile_create();

	raw_profile_event(raw, "0");
	for (uint32_t i = 0; i < STACKS; i++)
		raw_profile_stack(raw, PROFILE_NONE, raw_profile_location(raw, PROFILE_NONE, i, FRAME_USER),
				  FRAME_SAMPLED);
	return raw;
}

static void add(struct raw_profile *raw, uint32_t stack, enum stack_end end, uint64_t weight)
{
	raw_profile_add(raw, &(struct profile_sample){ .cpu = PROFILE_NONE,
						       .cgroup = raw_profile_string(raw, "/test.slice"),
						       .stack = stack,
						       .end = (uint8_t)end,
						       .count = 1,
						       .weight = weight });
}

/* Samples of stacks 0 and 1, which end by chain and by depth each. */
static struct raw_profile *raw_with_samples(void)
{
	struct raw_profile *raw = raw_with_event_and_stacks();

	raw_profile_string(raw, "so that strings have other numbers");
	add(raw, 0, STACK_END_CHAIN, 3);
	add(raw, 1, STACK_END_CHAIN, 2);
	add(raw, 0, STACK_END_DEPTH, 4);
	add(raw, 1, STACK_END_DEPTH, 1);
	return raw;
}

static void assert_sample(const struct profile *profile, uint32_t number, uint32_t stack, enum stack_end end,
			  uint64_t count, uint64_t weight)
{
	const struct profile_sample *sample = profile_sample_at(profile, number);

	assert_int_equal(sample->stack, stack);
	assert_int_equal(sample->end, end);
	assert_int_equal(sample->count, count);
	assert_int_equal(sample->weight, weight);
	assert_string_equal(profile_text(profile, sample->cgroup), "/test.slice");
}

/* Merged or not, the squares of the samples are added up, not the squares of their sums. */
static void assert_event(const struct profile *profile)
{
	const struct profile_event *event = profile_event_at(profile, 0);

	assert_int_equal(event->samples, 4);
	assert_int_equal(event->weight, 10);
	assert_true(event->weight_squares == 30);
}

/* A raw profile and the final one; tear_down() frees both. */
struct fixture {
	struct raw_profile *raw;
	struct profile *profile;
	uint8_t beginnings[STACKS];
	uint32_t nodes[STACKS];
	struct final_stacks stacks;
};

static int set_up(void **state)
{
	struct fixture *fixture = calloc(1, sizeof(*fixture));

	fixture->raw = raw_with_samples();
	fixture->profile = with_event_and_stacks();
	fixture->stacks.beginnings = fixture->beginnings;
	*state = fixture;
	return 0;
}

static int tear_down(void **state)
{
	struct fixture *fixture = *state;

	profile_destroy(fixture->profile);
	raw_profile_destroy(fixture->raw);
	free(fixture);
	return 0;
}

static void set_beginnings(struct fixture *fixture, enum stack_beginning first, enum stack_beginning second)
{
	fixture->beginnings[0] = (uint8_t)first;
	fixture->beginnings[1] = (uint8_t)second;
}

/* Without this call, stacks keep their numbers. Two with one number have become one stack. */
static void set_nodes(struct fixture *fixture, uint32_t first, uint32_t second)
{
	fixture->nodes[0] = first;
	fixture->nodes[1] = second;
	fixture->stacks.nodes = fixture->nodes;
	fixture->stacks.merged = first == second;
}

static void samples_that_stay_different_keep_their_numbers(void **state)
{
	struct fixture *fixture = *state;

	set_beginnings(fixture, STACK_BEGINNING_UNNAMED, STACK_BEGINNING_OTHER);
	assert_null(final_samples_make(fixture->raw, &fixture->stacks, fixture->profile, true));
	assert_int_equal(raw_profile_sample_count(fixture->raw), 0);
	assert_int_equal(profile_sample_count(fixture->profile), 4);
	assert_sample(fixture->profile, 0, 0, STACK_END_UNNAMED, 1, 3);
	assert_sample(fixture->profile, 1, 1, STACK_END_CHAIN, 1, 2);
	assert_sample(fixture->profile, 2, 0, STACK_END_DEPTH, 1, 4);
	assert_sample(fixture->profile, 3, 1, STACK_END_DEPTH, 1, 1);
	assert_event(fixture->profile);
}

static void samples_whose_ends_turn_out_the_same_are_one(void **state)
{
	struct fixture *fixture = *state;
	uint32_t *numbers;

	set_beginnings(fixture, STACK_BEGINNING_ROOT, STACK_BEGINNING_OTHER);
	numbers = final_samples_make(fixture->raw, &fixture->stacks, fixture->profile, true);
	assert_int_equal(profile_sample_count(fixture->profile), 3);
	assert_int_equal(numbers[0], 0);
	assert_int_equal(numbers[1], 1);
	assert_int_equal(numbers[2], 0);
	assert_int_equal(numbers[3], 2);
	free(numbers);
	assert_sample(fixture->profile, 0, 0, STACK_END_ROOT, 2, 7);
	assert_sample(fixture->profile, 1, 1, STACK_END_CHAIN, 1, 2);
	assert_sample(fixture->profile, 2, 1, STACK_END_DEPTH, 1, 1);
	assert_event(fixture->profile);
}

static void samples_follow_their_stacks_to_other_numbers(void **state)
{
	struct fixture *fixture = *state;

	set_nodes(fixture, 1, 0);
	(void)final_samples_make(fixture->raw, &fixture->stacks, fixture->profile, false);
	assert_int_equal(raw_profile_sample_count(fixture->raw), 0);
	assert_int_equal(profile_sample_count(fixture->profile), 4);
	assert_sample(fixture->profile, 0, 1, STACK_END_CHAIN, 1, 3);
	assert_sample(fixture->profile, 1, 0, STACK_END_CHAIN, 1, 2);
	assert_event(fixture->profile);
}

static void samples_of_stacks_that_have_become_one_are_added_up(void **state)
{
	struct fixture *fixture = *state;

	set_nodes(fixture, 0, 0);
	(void)final_samples_make(fixture->raw, &fixture->stacks, fixture->profile, false);
	assert_int_equal(profile_sample_count(fixture->profile), 2);
	assert_sample(fixture->profile, 0, 0, STACK_END_CHAIN, 2, 5);
	assert_sample(fixture->profile, 1, 0, STACK_END_DEPTH, 2, 5);
	assert_event(fixture->profile);
}

static void more_samples_than_a_batch_are_copied_in_their_order(void **state)
{
	enum { FIRST = 4, COUNT = FIRST + 2 * PROFILE_BATCH };
	struct fixture *fixture = *state;
	uint32_t *numbers;

	for (uint32_t cpu = FIRST; cpu < COUNT; cpu++)
		raw_profile_add(fixture->raw,
				&(struct profile_sample){ .cpu = cpu, .count = 1, .weight = cpu });
	set_nodes(fixture, 1, 0);
	fixture->stacks.merged = true;
	numbers = final_samples_make(fixture->raw, &fixture->stacks, fixture->profile, true);
	assert_int_equal(profile_sample_count(fixture->profile), COUNT);
	for (uint32_t i = FIRST; i < COUNT; i++) {
		assert_int_equal(numbers[i], i);
		assert_int_equal(profile_sample_at(fixture->profile, i)->cpu, i);
		assert_int_equal(profile_sample_at(fixture->profile, i)->weight, i);
		assert_int_equal(profile_sample_at(fixture->profile, i)->stack, 1);
	}
	free(numbers);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(samples_that_stay_different_keep_their_numbers),
		TEST(samples_whose_ends_turn_out_the_same_are_one),
		TEST(samples_follow_their_stacks_to_other_numbers),
		TEST(samples_of_stacks_that_have_become_one_are_added_up),
		TEST(more_samples_than_a_batch_are_copied_in_their_order),
	};

	return cmocka_run_group_tests_name("report/names/final_samples", tests, NULL, NULL);
}
