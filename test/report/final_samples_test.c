#include "report/final_samples.h"

#include "support/cmocka.h"

/* Two stacks of one frame each: what they begin with, and with what numbers, is each test's. */
enum { STACKS = 2 };

static struct profile *with_events_and_stacks(void)
{
	struct profile *profile = profile_create();

	profile_event(profile, "cycles", true, 4000);
	for (uint32_t i = 0; i < STACKS; i++)
		profile_stack(profile, PROFILE_NONE, profile_location(profile, PROFILE_NONE, i, FRAME_USER),
			      FRAME_SAMPLED);
	return profile;
}

static void add(struct profile *raw, uint32_t stack, enum stack_end end, uint64_t weight)
{
	profile_add(raw, &(struct profile_sample){ .cpu = PROFILE_NONE,
						   .cgroup = profile_string(raw, "/test.slice"),
						   .stack = stack,
						   .end = (uint8_t)end,
						   .count = 1,
						   .weight = weight });
}

/* Of stack 0 and 1, which end by chain and depth each. */
static struct profile *raw_profile(void)
{
	struct profile *raw = with_events_and_stacks();

	profile_string(raw, "so that strings have other numbers");
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

/* Whatever becomes of the samples, the sum of their squares is not that of the sums. */
static void assert_event(const struct profile *profile)
{
	const struct profile_event *event = profile_event_at(profile, 0);

	assert_int_equal(event->samples, 4);
	assert_int_equal(event->weight, 10);
	assert_true(event->weight_squares == 30);
}

static void samples_that_stay_different_keep_their_numbers(void **state)
{
	struct profile *raw = raw_profile(), *profile = with_events_and_stacks();
	uint8_t beginnings[STACKS] = { STACK_BEGINNING_UNNAMED, STACK_BEGINNING_OTHER };
	const struct final_stacks stacks = { .beginnings = beginnings };
	uint32_t numbers[4];

	(void)state;
	final_samples_make(raw, &stacks, profile, numbers);
	assert_int_equal(profile_sample_count(raw), 0);
	assert_int_equal(profile_sample_count(profile), 4);
	for (uint32_t i = 0; i < 4; i++)
		assert_int_equal(numbers[i], i);
	assert_sample(profile, 0, 0, STACK_END_UNNAMED, 1, 3);
	assert_sample(profile, 1, 1, STACK_END_CHAIN, 1, 2);
	assert_sample(profile, 2, 0, STACK_END_DEPTH, 1, 4);
	assert_sample(profile, 3, 1, STACK_END_DEPTH, 1, 1);
	assert_event(profile);
	profile_destroy(profile);
	profile_destroy(raw);
}

static void samples_whose_ends_turn_out_the_same_are_one(void **state)
{
	struct profile *raw = raw_profile(), *profile = with_events_and_stacks();
	uint8_t beginnings[STACKS] = { STACK_BEGINNING_ROOT, STACK_BEGINNING_OTHER };
	const struct final_stacks stacks = { .beginnings = beginnings };
	uint32_t numbers[4];

	(void)state;
	final_samples_make(raw, &stacks, profile, numbers);
	assert_int_equal(profile_sample_count(profile), 3);
	assert_int_equal(numbers[0], 0);
	assert_int_equal(numbers[1], 1);
	assert_int_equal(numbers[2], 0);
	assert_int_equal(numbers[3], 2);
	assert_sample(profile, 0, 0, STACK_END_ROOT, 2, 7);
	assert_sample(profile, 1, 1, STACK_END_CHAIN, 1, 2);
	assert_sample(profile, 2, 1, STACK_END_DEPTH, 1, 1);
	assert_event(profile);
	profile_destroy(profile);
	profile_destroy(raw);
}

static void samples_follow_their_stacks_to_other_numbers(void **state)
{
	struct profile *raw = raw_profile(), *profile = with_events_and_stacks();
	uint8_t beginnings[STACKS] = { STACK_BEGINNING_OTHER, STACK_BEGINNING_OTHER };
	uint32_t nodes[STACKS] = { 1, 0 };
	const struct final_stacks stacks = { .nodes = nodes, .beginnings = beginnings };

	(void)state;
	final_samples_make(raw, &stacks, profile, NULL);
	assert_int_equal(profile_sample_count(profile), 4);
	assert_sample(profile, 0, 1, STACK_END_CHAIN, 1, 3);
	assert_sample(profile, 1, 0, STACK_END_CHAIN, 1, 2);
	assert_event(profile);
	profile_destroy(profile);
	profile_destroy(raw);
}

static void samples_of_stacks_that_have_become_one_are_added_up(void **state)
{
	struct profile *raw = raw_profile(), *profile = with_events_and_stacks();
	uint8_t beginnings[STACKS] = { STACK_BEGINNING_OTHER, STACK_BEGINNING_OTHER };
	uint32_t nodes[STACKS] = { 0, 0 };
	const struct final_stacks stacks = { .nodes = nodes, .beginnings = beginnings };

	(void)state;
	final_samples_make(raw, &stacks, profile, NULL);
	assert_int_equal(profile_sample_count(profile), 2);
	assert_sample(profile, 0, 0, STACK_END_CHAIN, 2, 5);
	assert_sample(profile, 1, 0, STACK_END_DEPTH, 2, 5);
	assert_event(profile);
	profile_destroy(profile);
	profile_destroy(raw);
}

static void more_samples_than_a_batch_are_copied_in_their_order(void **state)
{
	enum { COUNT = 2 * PROFILE_BATCH + 1 };
	struct profile *raw = with_events_and_stacks(), *profile = with_events_and_stacks();
	uint8_t beginnings[STACKS] = { STACK_BEGINNING_OTHER, STACK_BEGINNING_OTHER };
	uint32_t nodes[STACKS] = { 1, 0 }, numbers[COUNT];
	const struct final_stacks stacks = { .nodes = nodes, .beginnings = beginnings };

	(void)state;
	for (uint32_t cpu = 0; cpu < COUNT; cpu++)
		profile_add(raw, &(struct profile_sample){ .cpu = cpu, .count = 1, .weight = cpu });
	final_samples_make(raw, &stacks, profile, numbers);
	assert_int_equal(profile_sample_count(profile), COUNT);
	for (uint32_t i = 0; i < COUNT; i++) {
		assert_int_equal(numbers[i], i);
		assert_int_equal(profile_sample_at(profile, i)->cpu, i);
		assert_int_equal(profile_sample_at(profile, i)->weight, i);
		assert_int_equal(profile_sample_at(profile, i)->stack, 1);
	}
	profile_destroy(profile);
	profile_destroy(raw);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(samples_that_stay_different_keep_their_numbers),
		cmocka_unit_test(samples_whose_ends_turn_out_the_same_are_one),
		cmocka_unit_test(samples_follow_their_stacks_to_other_numbers),
		cmocka_unit_test(samples_of_stacks_that_have_become_one_are_added_up),
		cmocka_unit_test(more_samples_than_a_batch_are_copied_in_their_order),
	};

	return cmocka_run_group_tests_name("report/final_samples", tests, NULL, NULL);
}
