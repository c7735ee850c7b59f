#include <string.h>

#include "cli/option.h"
#include "support/cmocka.h"

static void whole_numbers_are_decimal_or_hexadecimal(void **state)
{
	uint64_t value;

	(void)state;
	assert_int_equal(option_parse_u64("0", &value, NULL), 0);
	assert_int_equal(value, 0);
	assert_int_equal(option_parse_u64("18446744073709551615", &value, NULL), 0);
	assert_true(value == UINT64_MAX);
	assert_int_equal(option_parse_u64("0xfF", &value, NULL), 0);
	assert_int_equal(value, 255);
	assert_int_equal(option_parse_u64("010", &value, NULL), 0);
	assert_int_equal(value, 10);
}

static void what_is_not_quite_a_number_is_refused(void **state)
{
	static const char *const texts[] = {
		"", "-1", "+1", " 1", "1 ", "1.0", "0x", "1e3", "18446744073709551616", "0x10000000000000000"
	};
	uint64_t value;

	(void)state;
	for (size_t i = 0; i < sizeof(texts) / sizeof(*texts); i++)
		assert_int_equal(option_parse_u64(texts[i], &value, NULL), -1);
}

static void numbers_that_do_not_fit_are_too_large(void **state)
{
	struct error err;
	uint64_t value;

	(void)state;
	assert_int_equal(option_parse_u64("18446744073709551616", &value, &err), -1);
	assert_string_equal(err.message, "'18446744073709551616' is too large");
	assert_int_equal(option_parse_u64("-1", &value, &err), -1);
	assert_string_equal(err.message, "'-1' is not a whole number");
}

static void assert_size(const char *text, uint64_t expected)
{
	uint64_t size_bytes;

	assert_int_equal(option_parse_size(text, &size_bytes, NULL), 0);
	assert_true(size_bytes == expected);
}

static void sizes_are_powers_of_1024(void **state)
{
	(void)state;
	assert_size("4096", 4096);
	assert_size("512K", 512 << 10);
	assert_size("2M", 2 << 20);
	assert_size("2mb", 2 << 20);
	assert_size("1GiB", 1 << 30);
	assert_size("3B", 3);
}

static void sizes_that_overflow_or_have_no_such_unit_are_refused(void **state)
{
	struct error err;
	uint64_t size_bytes;

	(void)state;
	assert_int_equal(option_parse_size("16777216T", &size_bytes, &err), -1);
	assert_string_equal(err.message, "'16777216T' is not a size such as 4096, 512K, 2M or 1G");
	assert_int_equal(option_parse_size("1X", &size_bytes, &err), -1);
	assert_int_equal(option_parse_size("K", &size_bytes, &err), -1);
}

static void assert_duration(const char *text, uint64_t expected_ns)
{
	uint64_t duration_ns;

	assert_int_equal(option_parse_duration(text, &duration_ns, NULL), 0);
	assert_true(duration_ns == expected_ns);
}

static void durations_are_seconds_unless_they_say_otherwise(void **state)
{
	(void)state;
	assert_duration("5", 5000000000);
	assert_duration("2.5", 2500000000);
	assert_duration("0.000000001", 1);
	assert_duration("0.0000000019", 1);
	assert_duration("500ms", 500000000);
	assert_duration("1.5us", 1500);
	assert_duration("90s", 90000000000);
	assert_duration("2m", 120000000000);
	assert_duration("1h", 3600000000000);
}

static void durations_that_overflow_or_have_no_such_unit_are_refused(void **state)
{
	static const char *const texts[] = { "", "1.", ".5", "1d", "-1", "18446744074", "6000000h", "1.5.5" };
	uint64_t duration_ns;

	(void)state;
	for (size_t i = 0; i < sizeof(texts) / sizeof(*texts); i++)
		assert_int_equal(option_parse_duration(texts[i], &duration_ns, NULL), -1);
}

static void numbers_with_a_point_may_be_percentages(void **state)
{
	double value;

	(void)state;
	assert_int_equal(option_parse_double("0.25%", &value, NULL), 0);
	assert_true(value == 0.25);
	assert_int_equal(option_parse_double(".5", &value, NULL), 0);
	assert_true(value == 0.5);
}

static void numbers_that_are_none_are_refused(void **state)
{
	static const char *const texts[] = { "", "nan", "inf", "-1", " 1", "1%%", "1e999", "%" };
	double value;

	(void)state;
	for (size_t i = 0; i < sizeof(texts) / sizeof(*texts); i++)
		assert_int_equal(option_parse_double(texts[i], &value, NULL), -1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(whole_numbers_are_decimal_or_hexadecimal),
		cmocka_unit_test(what_is_not_quite_a_number_is_refused),
		cmocka_unit_test(numbers_that_do_not_fit_are_too_large),
		cmocka_unit_test(sizes_are_powers_of_1024),
		cmocka_unit_test(sizes_that_overflow_or_have_no_such_unit_are_refused),
		cmocka_unit_test(durations_are_seconds_unless_they_say_otherwise),
		cmocka_unit_test(durations_that_overflow_or_have_no_such_unit_are_refused),
		cmocka_unit_test(numbers_with_a_point_may_be_percentages),
		cmocka_unit_test(numbers_that_are_none_are_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
