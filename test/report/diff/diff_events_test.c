#include "report/diff/diff_events.h"

#include "support/built_sides.h"
#include "support/cmocka.h"
#include "support/profile_builder.h"

struct fixture {
	struct built_sides built;
	struct diff_events events;
	struct error err;
};

static struct fixture fixture;

static int setup(void **state)
{
	fixture = (struct fixture){ 0 };
	built_sides_init(&fixture.built);
	*state = &fixture;
	return 0;
}

static int teardown(void **state)
{
	(void)state;
	diff_events_fini(&fixture.events);
	built_sides_fini(&fixture.built);
	return 0;
}

static void add_event(int side, const char *name, uint64_t samples)
{
	struct profile *profile = built_sides_profile(&fixture.built, side);
	const uint32_t event = builder_event(profile, name);

	if (samples)
		builder_add(profile, event, "web 1/1", "web`main", samples, samples);
}

static int choose(const char *name)
{
	return diff_events_choose(&fixture.events, fixture.built.sides, name, &fixture.err);
}

static void assert_pair(size_t number, uint32_t before, uint32_t after)
{
	assert_true(number < fixture.events.count);
	assert_int_equal(fixture.events.pairs[number].event[COMPARE_BEFORE], before);
	assert_int_equal(fixture.events.pairs[number].event[COMPARE_AFTER], after);
}

static void all_events_that_both_have_are_compared_in_the_order_of_the_earlier(void **state)
{
	(void)state;
	add_event(COMPARE_BEFORE, "cycles", 1);
	add_event(COMPARE_BEFORE, "faults", 1);
	add_event(COMPARE_BEFORE, "misses", 1);
	add_event(COMPARE_AFTER, "misses", 1);
	add_event(COMPARE_AFTER, "cycles", 1);
	assert_int_equal(choose(NULL), 0);
	assert_int_equal(fixture.events.count, 2);
	assert_pair(0, 0, 1);
	assert_pair(1, 2, 0);
}

static void events_without_samples_on_either_side_are_left_out(void **state)
{
	(void)state;
	add_event(COMPARE_BEFORE, "cycles", 0);
	add_event(COMPARE_BEFORE, "faults", 1);
	add_event(COMPARE_BEFORE, "misses", 1);
	add_event(COMPARE_AFTER, "cycles", 1);
	add_event(COMPARE_AFTER, "faults", 0);
	add_event(COMPARE_AFTER, "misses", 1);
	assert_int_equal(choose(NULL), 0);
	assert_int_equal(fixture.events.count, 1);
	assert_pair(0, 2, 2);
}

static void where_none_is_called_alike_the_first_with_samples_are_compared(void **state)
{
	(void)state;
	add_event(COMPARE_BEFORE, "dummy", 0);
	add_event(COMPARE_BEFORE, "cycles", 1);
	add_event(COMPARE_AFTER, "cpu-clock", 1);
	assert_int_equal(choose(NULL), 0);
	assert_int_equal(fixture.events.count, 1);
	assert_pair(0, 1, 0);
}

static void a_side_without_samples_cannot_be_compared(void **state)
{
	(void)state;
	add_event(COMPARE_BEFORE, "cycles", 1);
	add_event(COMPARE_AFTER, "cycles", 0);
	assert_int_equal(choose(NULL), -1);
	assert_string_equal(fixture.err.message,
			    "/nonexistent/before and /nonexistent/after: there is nothing to "
			    "compare: at least one has no samples");
	assert_int_equal(fixture.events.count, 0);
}

static void an_event_that_is_asked_for_is_the_only_one(void **state)
{
	(void)state;
	add_event(COMPARE_BEFORE, "cycles", 1);
	add_event(COMPARE_BEFORE, "misses:u", 1);
	add_event(COMPARE_AFTER, "misses", 1);
	add_event(COMPARE_AFTER, "cycles", 1);
	assert_int_equal(choose("misses"), 0);
	assert_int_equal(fixture.events.count, 1);
	assert_pair(0, 1, 0);
}

static void the_recording_that_lacks_an_event_is_named(void **state)
{
	(void)state;
	add_event(COMPARE_BEFORE, "cycles", 1);
	add_event(COMPARE_AFTER, "faults", 1);
	assert_int_equal(choose("cycles"), -1);
	assert_memory_equal(fixture.err.message, "/nonexistent/after: ", 20);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(all_events_that_both_have_are_compared_in_the_order_of_the_earlier),
		TEST(events_without_samples_on_either_side_are_left_out),
		TEST(where_none_is_called_alike_the_first_with_samples_are_compared),
		TEST(a_side_without_samples_cannot_be_compared),
		TEST(an_event_that_is_asked_for_is_the_only_one),
		TEST(the_recording_that_lacks_an_event_is_named),
	};

	return cmocka_run_group_tests_name("report/diff/diff_events", tests, NULL, NULL);
}
