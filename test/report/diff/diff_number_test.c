#include "report/diff/diff_number.h"

#include <math.h>

#include "support/cmocka.h"

static void assert_text(enum diff_normalize normalize, bool counts_ns, double value, bool sign,
			const char *expected)
{
	struct diff_number number = diff_number_of(normalize, counts_ns);
	struct strbuf out;

	strbuf_init(&out);
	diff_number_add(&out, &number, value, sign);
	assert_string_equal(out.bytes, expected);
	strbuf_fini(&out);
}

static void shares_are_percent(void **state)
{
	(void)state;
	assert_text(DIFF_SHARE, false, 0.12345, false, "12.35%");
	assert_text(DIFF_SHARE, true, -0.5, true, "-50.00%");
}

static void running_time_is_percent_of_a_cpu_or_seconds(void **state)
{
	(void)state;
	assert_text(DIFF_TIME, true, 1.5e9, false, "150.00%");
	assert_text(DIFF_WORK, true, 1.5e9, false, "1.500s");
	assert_text(DIFF_NOTHING, true, -2.5e6, true, "-2.500ms");
	assert_text(DIFF_NOTHING, true, 12.34e3, true, "+12.34us");
	assert_text(DIFF_NOTHING, true, 7, true, "+7ns");
	assert_text(DIFF_NOTHING, true, 0, false, "0s");
	assert_text(DIFF_NOTHING, true, 1.2e15, false, "1200000.0s");
}

static void counts_have_four_digits_and_a_letter(void **state)
{
	(void)state;
	assert_text(DIFF_SAMPLES, true, 999, false, "999");
	assert_text(DIFF_SAMPLES, false, 0, true, "+0");
	assert_text(DIFF_NOTHING, false, 1000, false, "1.000k");
	assert_text(DIFF_NOTHING, false, 99996, true, "+100.0k");
	assert_text(DIFF_TIME, false, -12345678, true, "-12.35M");
	assert_text(DIFF_WORK, false, 0.25, false, "0.250");
}

static void what_is_no_number_is_a_dash(void **state)
{
	(void)state;
	assert_text(DIFF_SHARE, false, NAN, false, "-");
	assert_text(DIFF_NOTHING, false, INFINITY, true, "-");
}

static void clocks_count_nanoseconds(void **state)
{
	(void)state;
	assert_true(diff_event_counts_ns("cpu-clock"));
	assert_true(diff_event_counts_ns("task-clock:u"));
	assert_false(diff_event_counts_ns("cycles"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(shares_are_percent),
		cmocka_unit_test(running_time_is_percent_of_a_cpu_or_seconds),
		cmocka_unit_test(counts_have_four_digits_and_a_letter),
		cmocka_unit_test(what_is_no_number_is_a_dash),
		cmocka_unit_test(clocks_count_nanoseconds),
	};

	return cmocka_run_group_tests_name("report/diff/diff_number", tests, NULL, NULL);
}
