#include "text/branch_type_text.h"

#include "support/cmocka.h"

static void kinds_have_the_names_of_perf(void **state)
{
	(void)state;
	assert_string_equal(branch_type_text(1), "COND");
	assert_string_equal(branch_type_text(14), "NO_TX");
	assert_string_equal(branch_new_type_text(0), "FAULT_ALGN");
	assert_string_equal(branch_new_type_text(7), "ARCH_5");
	assert_string_equal(branch_speculation_text(1), "SPEC_WRONG_PATH");
	assert_string_equal(branch_speculation_text(3), "SPEC_CORRECT_PATH");
}

static void numbers_without_a_kind_have_none(void **state)
{
	(void)state;
	assert_string_equal(branch_type_text(0), "");
	assert_string_equal(branch_type_text(15), "");
	assert_string_equal(branch_type_text(255), "");
	assert_string_equal(branch_new_type_text(8), "");
	assert_string_equal(branch_speculation_text(0), "");
	assert_string_equal(branch_speculation_text(4), "");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(kinds_have_the_names_of_perf),
		cmocka_unit_test(numbers_without_a_kind_have_none),
	};

	return cmocka_run_group_tests_name("text/branch_type_text", tests, NULL, NULL);
}
