#include "format/register_name.h"

#include "support/cmocka.h"

static void each_machine_has_its_own_names(void **state)
{
	(void)state;
	assert_string_equal(register_name("x86_64", 8), "IP");
	assert_string_equal(register_name("i686", 7), "SP");
	assert_string_equal(register_name("x86_64", 63), "XMM15");
	assert_string_equal(register_name("aarch64", 32), "pc");
	assert_string_equal(register_name("armv7l", 11), "fp");
	assert_string_equal(register_name("riscv64", 1), "ra");
}

static void unknown_machines_and_registers_have_no_name(void **state)
{
	(void)state;
	assert_null(register_name("vax", 0));
	assert_null(register_name("", 0));
	assert_null(register_name("i", 0));
	assert_null(register_name("x86_64", 24));
	assert_null(register_name("x86_64", 64));
}

static void without_a_machine_it_is_this_one(void **state)
{
	(void)state;
#if defined(__x86_64__)
	assert_string_equal(register_name(NULL, 0), "AX");
#elif defined(__aarch64__)
	assert_string_equal(register_name(NULL, 0), "x0");
#endif
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_machine_has_its_own_names),
		cmocka_unit_test(unknown_machines_and_registers_have_no_name),
		cmocka_unit_test(without_a_machine_it_is_this_one),
	};

	return cmocka_run_group_tests_name("format/register_name", tests, NULL, NULL);
}
