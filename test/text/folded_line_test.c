#include "text/folded_line.h"

#include <stdio.h>

#include "support/cmocka.h"

static void assert_weight(const char *text, const char *stack, uint64_t expected)
{
	char line[64];
	uint64_t weight;

	snprintf(line, sizeof(line), "%s", text);
	assert_true(folded_line_take_weight(line, &weight));
	assert_string_equal(line, stack);
	assert_int_equal(weight, expected);
}

static void assert_none(const char *text)
{
	char line[64];
	uint64_t weight;

	snprintf(line, sizeof(line), "%s", text);
	assert_false(folded_line_take_weight(line, &weight));
	assert_string_equal(line, text);
}

static void weights_are_cut_off(void **state)
{
	(void)state;
	assert_weight("main;read 12", "main;read", 12);
	assert_weight("main;operator new 3", "main;operator new", 3);
	assert_weight(" 7", "", 7);
	assert_weight("all 18446744073709551615", "all", UINT64_MAX);
	assert_weight("half 2.5", "half", 3);
	assert_weight("many 1e3", "many", 1000);
}

static void other_lines_stay(void **state)
{
	(void)state;
	assert_none("");
	assert_none("main");
	assert_none("main;read ");
	assert_none("main;read x12");
	assert_none("main;read 12x");
	assert_none("main;read -1");
	assert_none("main;read 18446744073709551616");
	assert_none("main;read 1e19");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(weights_are_cut_off),
		cmocka_unit_test(other_lines_stay),
	};

	return cmocka_run_group_tests_name("text/folded_line", tests, NULL, NULL);
}
