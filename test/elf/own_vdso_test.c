#include "elf/own_vdso.h"

#include <stdio.h>
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
	struct elf_file *file = own_vdso_open(&err);
	size_t count = 0;

	(void)state;
	if (!file) {
		assert_true(getauxval(AT_SYSINFO_EHDR) == 0);
		assert_string_equal(err.message, "this process has no [vdso]");
		skip();
	}
	assert_string_equal(elf_file_path(file), "[vdso]");
	assert_int_equal(elf_symtab_read(file, ELF_SYMTAB_DYNAMIC, count_functions, &count, NULL), 1);
	assert_true(count >= 2); /* clock_gettime and gettimeofday at least, under this name or that */
	elf_file_close(file);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(own_vdso_is_an_elf_file_with_functions),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
