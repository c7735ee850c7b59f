#include "format/register_dwarf.h"

#include <elf.h>

#include "support/cmocka.h"

static void registers_of_x86_64_have_the_numbers_of_its_psabi(void **state)
{
	(void)state;
	assert_int_equal(register_dwarf(EM_X86_64, 0), 0);   /* AX */
	assert_int_equal(register_dwarf(EM_X86_64, 1), 3);   /* BX */
	assert_int_equal(register_dwarf(EM_X86_64, 3), 1);   /* DX */
	assert_int_equal(register_dwarf(EM_X86_64, 6), 6);   /* BP */
	assert_int_equal(register_dwarf(EM_X86_64, 7), 7);   /* SP */
	assert_int_equal(register_dwarf(EM_X86_64, 23), 15); /* R15 */
}

static void registers_of_arm64_keep_their_numbers(void **state)
{
	(void)state;
	assert_int_equal(register_dwarf(EM_AARCH64, 0), 0);
	assert_int_equal(register_dwarf(EM_AARCH64, 30), 30); /* LR */
	assert_int_equal(register_dwarf(EM_AARCH64, 31), 31); /* SP */
}

static void the_program_counter_is_told_apart(void **state)
{
	(void)state;
	assert_int_equal(register_dwarf(EM_X86_64, 8), REGISTER_DWARF_PC);
	assert_int_equal(register_dwarf(EM_386, 8), REGISTER_DWARF_PC);
	assert_int_equal(register_dwarf(EM_AARCH64, 32), REGISTER_DWARF_PC);
}

static void what_no_caller_needs_has_none(void **state)
{
	(void)state;
	assert_int_equal(register_dwarf(EM_X86_64, 9), REGISTER_DWARF_NONE); /* FLAGS */
	assert_int_equal(register_dwarf(EM_X86_64, 24), REGISTER_DWARF_NONE);
	assert_int_equal(register_dwarf(EM_AARCH64, 33), REGISTER_DWARF_NONE);
	assert_int_equal(register_dwarf(EM_386, 9), REGISTER_DWARF_NONE);
	assert_int_equal(register_dwarf(EM_S390, 0), REGISTER_DWARF_NONE);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(registers_of_x86_64_have_the_numbers_of_its_psabi),
		cmocka_unit_test(registers_of_arm64_keep_their_numbers),
		cmocka_unit_test(the_program_counter_is_told_apart),
		cmocka_unit_test(what_no_caller_needs_has_none),
	};

	return cmocka_run_group_tests_name("format/register_dwarf", tests, NULL, NULL);
}
