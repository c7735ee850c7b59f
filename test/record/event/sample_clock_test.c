#include "record/event/sample_clock.h"

#include <string.h>
#include <time.h>

#include "support/cmocka.h"

static void assert_parsed(const char *text, int id)
{
	struct sample_clock clock = { 0 };
	struct error err;

	assert_int_equal(sample_clock_parse(&clock, text, &err), 0);
	assert_true(clock.given);
	assert_int_equal(clock.id, id);
}

static void clocks_have_perfs_names(void **state)
{
	(void)state;
	assert_parsed("monotonic", CLOCK_MONOTONIC);
	assert_parsed("mono", CLOCK_MONOTONIC);
	assert_parsed("monotonic_raw", CLOCK_MONOTONIC_RAW);
	assert_parsed("raw", CLOCK_MONOTONIC_RAW);
	assert_parsed("real", CLOCK_REALTIME);
	assert_parsed("boot", CLOCK_BOOTTIME);
	assert_parsed("clocktai", CLOCK_TAI);
}

static void clocks_have_the_kernels_names_and_numbers(void **state)
{
	(void)state;
	assert_parsed("CLOCK_BOOTTIME", CLOCK_BOOTTIME);
	assert_parsed("clock_tai", CLOCK_TAI);
	assert_parsed("0", CLOCK_REALTIME);
	assert_parsed("4", CLOCK_MONOTONIC_RAW);
}

static void other_clocks_are_refused_with_those_there_are(void **state)
{
	static const char *const wrong[] = { "", "cpu", "3", "CLOCK_", "mon", "1x" };
	struct sample_clock clock = { 0 };
	struct error err;

	(void)state;
	for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
		assert_int_equal(sample_clock_parse(&clock, wrong[i], &err), -1);
		assert_false(clock.given);
		assert_non_null(strstr(err.message, "monotonic, monotonic_raw, realtime, boottime or tai"));
	}
}

static void a_clock_is_shown_by_its_whole_name(void **state)
{
	(void)state;
	assert_string_equal(sample_clock_name(CLOCK_MONOTONIC), "monotonic");
	assert_string_equal(sample_clock_name(CLOCK_TAI), "tai");
	assert_string_equal(sample_clock_name(99), "?");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(clocks_have_perfs_names),
		cmocka_unit_test(clocks_have_the_kernels_names_and_numbers),
		cmocka_unit_test(other_clocks_are_refused_with_those_there_are),
		cmocka_unit_test(a_clock_is_shown_by_its_whole_name),
	};

	return cmocka_run_group_tests_name("record/event/sample_clock", tests, NULL, NULL);
}
