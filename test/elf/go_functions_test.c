#include "elf/go_functions.h"

#include <elf.h>

#include "support/cmocka.h"
#include "support/go_table.h"

static const struct built_go_function program[] = {
	{ "_rt0_amd64_linux", GO_TEXT, 0 },         { "main.main", GO_TEXT + 0x10, 0 },
	{ "runtime.goexit", GO_TEXT + 0x20, 1 },    { "runtime.systemstack", GO_TEXT + 0x30, 2 },
	{ "runtime.nanotime1", GO_TEXT + 0x40, 2 }, { "runtime.sigtramp", GO_TEXT + 0x50, 1 },
};
enum { FUNCTIONS = sizeof(program) / sizeof(*program) };

static void build(struct strbuf *table, enum go_version version, bool swap)
{
	strbuf_init(table);
	go_table_build(table, version, swap, program, FUNCTIONS);
}

static void assert_function(struct go_functions *functions, uint64_t vaddr, const char *name, int32_t size)
{
	struct go_function function;
	int32_t found;

	assert_int_equal(go_functions_find(functions, vaddr, &function), 1);
	assert_string_equal(function.name, name);
	assert_int_equal(go_functions_frame_size(functions, &function, vaddr, &found), 1);
	assert_int_equal(found, size);
}

static void assert_program(enum go_version version, bool swap)
{
	struct strbuf table;
	struct elf_file *file;
	struct go_functions *functions;
	struct go_function function;

	build(&table, version, swap);
	file = go_table_file(table.bytes, table.size, EM_X86_64, swap);
	functions = go_functions_open(file);
	assert_non_null(functions);
	assert_function(functions, GO_TEXT + 0x10, "main.main", 0);
	assert_function(functions, GO_TEXT + 0x13, "main.main", 0);
	assert_function(functions, GO_TEXT + 0x14, "main.main", 32);
	assert_function(functions, GO_TEXT + 0x1e, "main.main", 32);
	assert_function(functions, GO_TEXT + 0x1f, "main.main", 0);
	assert_function(functions, GO_TEXT + 0x5f, "runtime.sigtramp", 0);
	assert_int_equal(go_functions_find(functions, GO_TEXT - 1, &function), 0);
	assert_int_equal(go_functions_find(functions, GO_TEXT + 0x60, &function), 0);
	assert_int_equal(go_functions_find(functions, GO_TEXT + 0x20, &function), 1);
	assert_true(function.is_top);
	assert_int_equal(function.start, GO_TEXT + 0x20);
	assert_int_equal(function.end, GO_TEXT + 0x30);
	assert_int_equal(go_functions_find(functions, GO_TEXT + 0x30, &function), 1);
	assert_true(function.calls_on_other);
	assert_int_equal(go_functions_find(functions, GO_TEXT + 0x40, &function), 1);
	assert_true(function.moves_to_stack);
	assert_false(function.calls_on_other);
	assert_int_equal(go_functions_find(functions, GO_TEXT + 0x50, &function), 1);
	assert_false(function.is_top); /* called by the kernel */
	go_functions_close(functions);
	elf_file_close(file);
	strbuf_fini(&table);
}

static void tables_of_all_versions_say_the_same(void **state)
{
	(void)state;
	assert_program(GO_1_16, false);
	assert_program(GO_1_18, false);
	assert_program(GO_1_20, false);
	assert_program(GO_1_20, true);
}

static void a_table_that_is_cut_off_or_of_another_kind_is_none(void **state)
{
	struct elf_file *file;
	struct strbuf table;

	(void)state;
	build(&table, GO_1_18, false);
	for (size_t size = 0; size < table.size; size++) {
		struct go_functions *functions;
		struct go_function function;
		int32_t found;

		file = go_table_file(table.bytes, size, EM_X86_64, false);
		functions = go_functions_open(file);

		for (uint64_t vaddr = GO_TEXT; functions && vaddr < GO_TEXT + 0x60; vaddr += 8)
			if (go_functions_find(functions, vaddr, &function))
				(void)go_functions_frame_size(functions, &function, vaddr, &found);
		go_functions_close(functions);
		elf_file_close(file);
	}
	table.bytes[0] = 0x12;
	file = go_table_file(table.bytes, table.size, EM_X86_64, false);
	assert_null(go_functions_open(file));
	elf_file_close(file);
	strbuf_fini(&table);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(tables_of_all_versions_say_the_same),
		cmocka_unit_test(a_table_that_is_cut_off_or_of_another_kind_is_none),
	};

	return cmocka_run_group_tests_name("elf/go_functions", tests, NULL, NULL);
}
