#include "report/load/time_range.h"

#include "support/cmocka.h"

#define S UINT64_C(1000000000)

static void assert_range(const char *text, size_t number, uint64_t from_ns, uint64_t to_ns)
{
	struct time_ranges ranges;

	assert_int_equal(time_ranges_parse(&ranges, text, 100 * S, 200 * S, NULL), 0);
	assert_true(ranges.count > number);
	assert_int_equal(ranges.items[number].from_ns, from_ns);
	assert_int_equal(ranges.items[number].to_ns, to_ns);
}

static void seconds_are_exact_to_the_nanosecond(void **state)
{
	(void)state;
	assert_range("1464.045780001,1465", 0, UINT64_C(1464045780001), 1465 * S);
	assert_range("0.5,1", 0, S / 2, S);
}

static void either_end_may_be_missing(void **state)
{
	(void)state;
	assert_range("3,", 0, 3 * S, UINT64_MAX);
	assert_range(",3", 0, 0, 3 * S);
}

static void several_spans_of_seconds_are_separated_by_blanks(void **state)
{
	(void)state;
	assert_range("1,2 5,6", 0, S, 2 * S);
	assert_range("1,2 5,6", 1, 5 * S, 6 * S);
}

static void percentages_refer_to_first_and_last_sample(void **state)
{
	(void)state;
	assert_range("10%/2", 0, 110 * S, 120 * S);
	assert_range("10%-20%", 0, 110 * S, 120 * S);
	assert_range("10%", 0, 100 * S, 110 * S);
	assert_range("90%-100%", 0, 190 * S, 200 * S);
	assert_range("0%-10%,30%-40%", 1, 130 * S, 140 * S);
}

static void no_moment_is_in_two_neighbouring_spans(void **state)
{
	(void)state;
	assert_range("0%-10%,10%-20%", 0, 100 * S, 110 * S - 1);
	assert_range("0%-10%,10%-20%", 1, 110 * S, 120 * S);
}

static void percentages_need_to_know_the_bounds(void **state)
{
	struct time_ranges ranges;
	struct error err;

	(void)state;
	assert_true(time_ranges_need_bounds("10%/2"));
	assert_false(time_ranges_need_bounds("1,2"));
	assert_int_equal(time_ranges_parse(&ranges, "10%/2", 0, 0, &err), -1);
}

static void nonsense_is_refused(void **state)
{
	static const char *const wrong[] = { "",     "x,y",     "2,1",    "1,2,3",  "%",    "10%/11",
					     "110%", "20%-10%", "10%-20", "nan%/1", "10%/0" };
	struct time_ranges ranges;
	struct error err;
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++)
		assert_int_equal(time_ranges_parse(&ranges, wrong[i], 100 * S, 200 * S, &err), -1);
}

static void both_ends_belong_to_a_span(void **state)
{
	struct time_ranges ranges, all = { 0 };

	(void)state;
	time_ranges_parse(&ranges, "1,2", 0, 0, NULL);
	assert_false(time_ranges_contain(&ranges, S - 1));
	assert_true(time_ranges_contain(&ranges, S));
	assert_true(time_ranges_contain(&ranges, 2 * S));
	assert_false(time_ranges_contain(&ranges, 2 * S + 1));
	assert_true(time_ranges_contain(&all, 7));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(seconds_are_exact_to_the_nanosecond),
		cmocka_unit_test(either_end_may_be_missing),
		cmocka_unit_test(several_spans_of_seconds_are_separated_by_blanks),
		cmocka_unit_test(percentages_refer_to_first_and_last_sample),
		cmocka_unit_test(no_moment_is_in_two_neighbouring_spans),
		cmocka_unit_test(percentages_need_to_know_the_bounds),
		cmocka_unit_test(nonsense_is_refused),
		cmocka_unit_test(both_ends_belong_to_a_span),
	};

	return cmocka_run_group_tests_name("report/load/time_range", tests, NULL, NULL);
}
