#include "record/switch/sampling_schedule.h"

#include <stdio.h>
#include <string.h>

#include "support/cmocka.h"

enum { MS = 1000000, BEGAN = 500 * MS };

static struct sampling_plan parsed(const char *text)
{
	struct sampling_plan plan = { 0 };
	struct error err = { 0 };

	if (sampling_plan_parse(&plan, text, &err) < 0)
		fail_msg("%s", err.message);
	return plan;
}

/* "start 10, stop 20, end 40": each change with its time in ms since the beginning. */
static void expect_changes(const struct sampling_plan *plan, const char *expected)
{
	static const char *const names[] = { "", "start", "stop", "end" };
	struct sampling_schedule schedule;
	char changes[256] = "";
	enum sampling_change change = SAMPLING_GOES_ON;
	size_t size = 0;

	sampling_schedule_begin(&schedule, plan, BEGAN);
	for (uint64_t next_ns;
	     change != SAMPLING_ENDS && (next_ns = sampling_schedule_next_ns(&schedule)) != 0;) {
		assert_int_equal(sampling_schedule_due(&schedule, next_ns - 1), SAMPLING_GOES_ON);
		change = sampling_schedule_due(&schedule, next_ns);
		size += (size_t)snprintf(changes + size, sizeof(changes) - size, "%s%s %llu",
					 size ? ", " : "", names[change],
					 (unsigned long long)(next_ns - BEGAN) / MS);
	}
	assert_string_equal(changes, expected);
}

static void without_a_delay_samplers_run_from_the_beginning(void **state)
{
	struct sampling_plan plan = { 0 };

	(void)state;
	assert_true(sampling_plan_starts_at_once(&plan));
	expect_changes(&plan, "");
	plan = parsed("0");
	assert_true(sampling_plan_starts_at_once(&plan));
	plan.duration_ns = 70 * MS;
	expect_changes(&plan, "end 70");
}

static void a_delay_is_in_milliseconds_or_has_a_unit(void **state)
{
	struct sampling_plan plan = parsed("30");

	(void)state;
	assert_false(sampling_plan_starts_at_once(&plan));
	expect_changes(&plan, "start 30");
	plan = parsed("2s");
	expect_changes(&plan, "start 2000");
}

static void the_duration_begins_with_the_samplers(void **state)
{
	struct sampling_plan plan = parsed("30");

	(void)state;
	plan.duration_ns = 100 * MS;
	expect_changes(&plan, "start 30, end 130");
}

static void minus_one_leaves_the_start_to_others(void **state)
{
	struct sampling_plan plan = parsed("-1");

	(void)state;
	assert_false(sampling_plan_starts_at_once(&plan));
	expect_changes(&plan, "");
	plan.duration_ns = 100 * MS;
	expect_changes(&plan, "end 100");
}

static void ranges_start_and_stop_and_the_last_ends_the_recording(void **state)
{
	struct sampling_plan plan = parsed("10-20,30-40");

	(void)state;
	expect_changes(&plan, "start 10, stop 20, start 30, end 40");
	plan = parsed("0-5");
	assert_false(sampling_plan_starts_at_once(&plan));
	expect_changes(&plan, "start 0, end 5");
	plan = parsed("10-20,30-40");
	plan.duration_ns = 15 * MS;
	expect_changes(&plan, "start 10, stop 20, end 25");
}

static void ranges_that_make_no_sense_are_refused(void **state)
{
	static const char *const texts[] = { "",
					     "x",
					     "-2",
					     "10-",
					     "10-20,",
					     ",10-20",
					     "10-5",
					     "10-10",
					     "10-20,20-30",
					     "10-20,15-30",
					     "10-20-30",
					     "10-20;30-40",
					     "1s-2s",
					     "99999999999999999",
					     "-1,10-20" };
	struct sampling_plan plan = { 0 };

	(void)state;
	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		struct error err = { 0 };

		if (sampling_plan_parse(&plan, texts[i], &err) == 0)
			fail_msg("'%s' is taken", texts[i]);
		assert_true(strlen(err.message) > 10);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(without_a_delay_samplers_run_from_the_beginning),
		cmocka_unit_test(a_delay_is_in_milliseconds_or_has_a_unit),
		cmocka_unit_test(the_duration_begins_with_the_samplers),
		cmocka_unit_test(minus_one_leaves_the_start_to_others),
		cmocka_unit_test(ranges_start_and_stop_and_the_last_ends_the_recording),
		cmocka_unit_test(ranges_that_make_no_sense_are_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
