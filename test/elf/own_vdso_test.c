#include "elf/own_vdso.h"

#include <stdio.h>
#include <string.h>
#include <sys/auxv.h>

#include "elf/elf_symtab.h"
#include "support/cmocka.h"

static void count_functions(const struct elf_symbol *symbol, void *context)
{
	(void)symbol;
	(*(size_t *)context)++;
}

static void own_vdso_is_an_elf_file_with_functions(void **state)
{
	struct error err;
	struct elf_file *file = own_vdso_open_named("[vdso]", &err);
	size_t count = 0;

	(void)state;
	if (!file) {
		assert_true(getauxval(AT_SYSINFO_EHDR) == 0);
		assert_string_equal(err.message, "this process has no [vdso]");
		skip();
	}
	assert_string_equal(elf_file_path(file), "[vdso]");
	assert_int_equal(elf_symtab_read(file, ELF_SYMTAB_DYNAMIC, NULL, count_functions, &count, NULL), 1);
	assert_true(count >= 2); /* at least clock_gettime and gettimeofday, whatever their names */
	elf_file_close(file);
}

static void vdso_of_32_bit_programs_is_handed_out_by_the_kernel(void **state)
{
	struct error err;
	struct elf_file *file = own_vdso_open_named("[vdso32]", &err);
	size_t count = 0;

	(void)state;
	if (!file) {
		assert_non_null(strstr(err.message, "[vdso] of 32-bit programs"));
		skip();
	}
	assert_string_equal(elf_file_path(file), "[vdso32]");
	assert_false(elf_file_is_64bit(file));
	assert_int_equal(elf_file_build_id(file)->size, 20);
	assert_int_equal(elf_symtab_read(file, ELF_SYMTAB_DYNAMIC, NULL, count_functions, &count, NULL), 1);
	assert_true(count >=
		    3); /* at least __kernel_vsyscall, __kernel_sigreturn and __kernel_rt_sigreturn */
	elf_file_close(file);
	/* This process still has its own [vdso]. */
	file = own_vdso_open_named("[vdso]", &err);
	assert_true(!file || elf_file_is_64bit(file));
	elf_file_close(file);
}

static void vdso_below_4_gib_is_that_of_a_32_bit_program(void **state)
{
	(void)state;
	assert_string_equal(own_vdso_name("[vdso]", 0xf7fc7000), "[vdso32]");
	assert_string_equal(own_vdso_name("[vdso]", 0x7fff12345000), "[vdso]");
	assert_string_equal(own_vdso_name("/bin/ls", 0xf7fc7000), "/bin/ls");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(own_vdso_is_an_elf_file_with_functions),
		cmocka_unit_test(vdso_of_32_bit_programs_is_handed_out_by_the_kernel),
		cmocka_unit_test(vdso_below_4_gib_is_that_of_a_32_bit_program),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
