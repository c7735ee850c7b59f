#include "report/names/dso_symbols.h"

#include <string.h>

#include "support/cmocka.h"

static void a_file_is_looked_for_by_its_path_and_through_those_who_mapped_it(void **state)
{
	const struct dso dso = { .kind = DSO_FILE,
				 .path = "/usr/bin/web",
				 .build_id = { { 0xab, 0xcd }, 2 },
				 .mapped_by = { 7, 9 },
				 .code_file_offset = 0x1000 };
	struct symbol_object object;

	(void)state;
	assert_true(dso_symbols_object(&dso, &object));
	assert_int_equal(object.kind, DSO_FILE);
	assert_ptr_equal(object.path, dso.path);
	assert_memory_equal(&object.build_id, &dso.build_id, sizeof(dso.build_id));
	assert_int_equal(object.code_file_offset, 0x1000);
	assert_int_equal(object.pids[0], 7);
	assert_int_equal(object.pids[1], 9);
	assert_int_equal(object.pids[2], 0);
}

static void the_kernel_is_placed_by_a_symbol_and_a_module_by_its_code(void **state)
{
	struct dso dso = { .kind = DSO_KERNEL,
			   .path = "[kernel.kallsyms]",
			   .relocation_symbol = "_text",
			   .relocation_address = 0xffffffff81000000 };
	struct symbol_object object;

	(void)state;
	assert_true(dso_symbols_object(&dso, &object));
	assert_int_equal(object.kind, DSO_KERNEL);
	assert_string_equal(object.relocation_symbol, "_text");
	assert_int_equal(object.relocation_address, 0xffffffff81000000);
	dso = (struct dso){ .kind = DSO_MODULE,
			    .path = "/lib/modules/ext4.ko",
			    .relocation_address = 0xffffffffc0000000 };
	assert_true(dso_symbols_object(&dso, &object));
	assert_int_equal(object.kind, DSO_MODULE);
	assert_null(object.relocation_symbol);
	assert_int_equal(object.relocation_address, 0xffffffffc0000000);
}

static void code_made_at_run_time_is_that_of_its_process(void **state)
{
	struct dso dso = { .kind = DSO_ANON, .path = "//anon", .pid = 7 };
	struct symbol_object object;

	(void)state;
	assert_true(dso_symbols_object(&dso, &object));
	assert_int_equal(object.kind, DSO_ANON);
	assert_int_equal(object.pid, 7);
	dso = (struct dso){ .kind = DSO_JITDUMP, .path = "/tmp/jit-7.dump", .pid = 7 };
	assert_true(dso_symbols_object(&dso, &object));
	assert_int_equal(object.kind, DSO_JITDUMP);
	assert_int_equal(object.pid, 7);
}

static void of_a_function_that_is_its_own_dso_nothing_more_can_be_known(void **state)
{
	const struct dso dso = { .kind = DSO_KSYMBOL, .path = "bpf_prog_6deef7357e7b4530" };
	struct symbolizer *symbolizer = symbolizer_create(&(struct symbolizer_options){ 0 });
	struct symbol_object object;

	(void)state;
	assert_false(dso_symbols_object(&dso, &object));
	assert_null(dso_symbols_table(symbolizer, &dso));
	symbolizer_destroy(symbolizer);
}

static void one_dso_has_one_table(void **state)
{
	const struct dso web = { .kind = DSO_FILE, .path = "/nonexistent/web" };
	const struct dso other = { .kind = DSO_FILE, .path = "/nonexistent/other" };
	struct symbolizer *symbolizer = symbolizer_create(&(struct symbolizer_options){ 0 });
	struct symbol_table *table = dso_symbols_table(symbolizer, &web);

	(void)state;
	assert_non_null(table);
	assert_ptr_equal(dso_symbols_table(symbolizer, &web), table);
	assert_ptr_not_equal(dso_symbols_table(symbolizer, &other), table);
	symbolizer_destroy(symbolizer);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_file_is_looked_for_by_its_path_and_through_those_who_mapped_it),
		cmocka_unit_test(the_kernel_is_placed_by_a_symbol_and_a_module_by_its_code),
		cmocka_unit_test(code_made_at_run_time_is_that_of_its_process),
		cmocka_unit_test(of_a_function_that_is_its_own_dso_nothing_more_can_be_known),
		cmocka_unit_test(one_dso_has_one_table),
	};

	return cmocka_run_group_tests_name("report/names/dso_symbols", tests, NULL, NULL);
}
