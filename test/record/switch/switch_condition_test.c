#include "record/switch/switch_condition.h"

#include <string.h>

#include "support/cmocka.h"

static struct switch_condition parsed(const char *text)
{
	struct switch_condition condition;

	assert_int_equal(switch_condition_parse(&condition, text, NULL), 0);
	assert_true(condition.given);
	return condition;
}

static void capitals_are_sizes_and_small_letters_times(void **state)
{
	(void)state;
	assert_int_equal(parsed("4096B").size_bytes, 4096);
	assert_int_equal(parsed("512K").size_bytes, 512 << 10);
	assert_int_equal(parsed("10M").size_bytes, 10 << 20);
	assert_int_equal(parsed("2G").size_bytes, UINT64_C(2) << 30);
	assert_int_equal(parsed("10M").every_ns, 0);
	assert_int_equal(parsed("30s").every_ns, UINT64_C(30000000000));
	assert_int_equal(parsed("5m").every_ns, UINT64_C(300000000000));
	assert_int_equal(parsed("1h").every_ns, UINT64_C(3600000000000));
	assert_int_equal(parsed("2d").every_ns, UINT64_C(172800000000000));
	assert_int_equal(parsed("5m").size_bytes, 0);
}

static void nothing_and_signal_leave_it_to_the_signal(void **state)
{
	(void)state;
	assert_int_equal(parsed(NULL).size_bytes | parsed(NULL).every_ns, 0);
	assert_int_equal(parsed("signal").size_bytes | parsed("signal").every_ns, 0);
}

static void everything_else_is_refused_with_what_there_is(void **state)
{
	static const char *const texts[] = { "",
					     "10",
					     "0s",
					     "0M",
					     "M",
					     "-1M",
					     "1.5M",
					     "10MB",
					     "10 M",
					     "signals",
					     "1y",
					     "99999999999999999999G",
					     "18446744073709551615G",
					     "10sM" };
	struct switch_condition condition;
	struct error err;

	(void)state;
	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		assert_int_equal(switch_condition_parse(&condition, texts[i], &err), -1);
		assert_non_null(strstr(err.message, "is neither a size (B, K, M or G) nor a time"));
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(capitals_are_sizes_and_small_letters_times),
		cmocka_unit_test(nothing_and_signal_leave_it_to_the_signal),
		cmocka_unit_test(everything_else_is_refused_with_what_there_is),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
