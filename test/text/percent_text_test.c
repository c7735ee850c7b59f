#include "text/percent_text.h"

#include <float.h>
#include <math.h>
#include <stdio.h>

#include "support/cmocka.h"

static void assert_text(double percent, const char *expected)
{
	struct strbuf buf;

	strbuf_init(&buf);
	percent_text_add(&buf, percent);
	assert_string_equal(buf.bytes, expected);
	strbuf_fini(&buf);
}

static void assert_as_printf(double percent)
{
	char expected[512];

	snprintf(expected, sizeof(expected), "%.2f%%", percent);
	assert_text(percent, expected);
}

static void shares_have_two_decimals(void **state)
{
	(void)state;
	assert_text(0, "0.00%");
	assert_text(0.004, "0.00%");
	assert_text(0.996, "1.00%");
	assert_text(9.1, "9.10%");
	assert_text(12.34, "12.34%");
	assert_text(99.999, "100.00%");
}

static void ties_go_where_printf_puts_them(void **state)
{
	(void)state;
	assert_text(0.125, "0.12%"); /* an exact tie: the even digit */
	assert_text(0.375, "0.38%");
	assert_text(1.005, "1.00%"); /* slightly less, in binary */
	for (int i = 0; i < 100000; i++) {
		double percent = (2 * i + 1) / 200.0;

		assert_as_printf(percent);
		assert_as_printf(nextafter(percent, 0));
		assert_as_printf(nextafter(percent, 1000));
	}
}

static void whatever_is_no_share_is_written_as_printf_does(void **state)
{
	static const double others[] = { -0.0, -1.5, 1e6, 123456789.125, 1e300, DBL_MIN, INFINITY, NAN };

	(void)state;
	for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++)
		assert_as_printf(others[i]);
}

static void shares_of_any_total_are_as_printf_has_them(void **state)
{
	uint64_t random = 88172645463325252u;

	(void)state;
	for (int i = 0; i < 200000; i++) {
		uint64_t total, weight;

		random = random * 6364136223846793005u + 1442695040888963407u;
		total = (random >> 20) % 100000 + 1;
		weight = (random >> 40) % (total + 1);
		assert_as_printf(100.0 * (double)weight / (double)total);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(shares_have_two_decimals),
		cmocka_unit_test(ties_go_where_printf_puts_them),
		cmocka_unit_test(whatever_is_no_share_is_written_as_printf_does),
		cmocka_unit_test(shares_of_any_total_are_as_printf_has_them),
	};

	return cmocka_run_group_tests_name("text/percent_text", tests, NULL, NULL);
}
