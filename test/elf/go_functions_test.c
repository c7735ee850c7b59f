#include "elf/go_functions.h"

#include <elf.h>

#include "support/cmocka.h"
#include "support/elf_builder.h"
#include "support/go_table.h"
#include "unwind/module.h"

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

static struct elf_file *file_with(const void *bytes, size_t size, uint16_t machine, bool swap)
{
	struct elf_builder builder;

	elf_builder_init(&builder, true, swap, ET_EXEC, machine);
	elf_builder_section(&builder, ".text", SHT_PROGBITS, SHF_ALLOC | SHF_EXECINSTR, GO_TEXT, NULL, 0);
	elf_builder_section(&builder, ".gopclntab", SHT_PROGBITS, SHF_ALLOC, 0x8000, bytes, size);
	return elf_builder_open(&builder, "go");
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
	file = file_with(table.bytes, table.size, EM_X86_64, swap);
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
	assert_false(function.is_top); /* the kernel called */
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

		file = file_with(table.bytes, size, EM_X86_64, false);
		functions = go_functions_open(file);

		for (uint64_t vaddr = GO_TEXT; functions && vaddr < GO_TEXT + 0x60; vaddr += 8)
			if (go_functions_find(functions, vaddr, &function))
				(void)go_functions_frame_size(functions, &function, vaddr, &found);
		go_functions_close(functions);
		elf_file_close(file);
	}
	table.bytes[0] = 0x12;
	file = file_with(table.bytes, table.size, EM_X86_64, false);
	assert_null(go_functions_open(file));
	elf_file_close(file);
	strbuf_fini(&table);
}

static void a_stripped_program_is_unwound_by_its_sizes_of_frames(void **state)
{
	const struct unwind_rule *rule;
	struct module *module;
	struct strbuf table;
	struct error err;

	(void)state;
	build(&table, GO_1_18, false);
	module = module_create(0, file_with(table.bytes, table.size, EM_X86_64, false), NULL, &err);
	rule = module_rule(module, GO_TEXT + 0x14, false);
	assert_int_equal(rule->path, PATH_SP);
	assert_int_equal(rule->cfa.value, 40);
	assert_int_equal(rule->ra.value, -8);
	assert_int_equal(rule->fp.value, -16);
	assert_int_equal(module_rule(module, GO_TEXT + 0x10, false)->cfa.value, 8);
	assert_int_equal(module_rule(module, GO_TEXT + 0x21, true)->path, PATH_ROOT); /* goexit */
	assert_int_equal(module_rule(module, GO_TEXT + 0x35, true)->path,
			 PATH_ROOT);                                       /* systemstack has called */
	assert_true(module_rule(module, GO_TEXT + 0x35, false)->unproved); /* or is about to */
	assert_int_equal(module_rule(module, GO_TEXT + 0x45, true)->path, PATH_NO_CFI);
	assert_int_equal(module_rule(module, GO_TEXT + 0x60, false)->path, PATH_NO_CFI);
	module_destroy(module);

	module = module_create(0, file_with(table.bytes, table.size, EM_AARCH64, false), NULL, &err);
	rule = module_rule(module, GO_TEXT + 0x14, false);
	assert_int_equal(rule->cfa.value, 32);
	assert_int_equal(rule->ra.value, -32);
	assert_int_equal(rule->fp.value, -40);
	assert_int_equal(module_rule(module, GO_TEXT + 0x10, false)->ra.kind, RULE_SAME_VALUE);
	module_destroy(module);
	strbuf_fini(&table);
}

/* What C calls back runs above what has called C, on the goroutine's stack. */
static void what_is_called_back_returns_to_the_goroutine_that_called_c(void **state)
{
	static const struct built_go_function functions[] = {
		{ "runtime.cgocallback", GO_TEXT, 2 },
		{ "runtime.mcall", GO_TEXT + 0x10, 2 },
		{ "runtime.systemstack_switch", GO_TEXT + 0x20, 0 },
	};
	const struct unwind_rule *rule;
	struct module *module;
	struct strbuf table;
	struct error err;

	(void)state;
	strbuf_init(&table);
	go_table_build(&table, GO_1_18, false, functions, 3);
	module = module_create(0, file_with(table.bytes, table.size, EM_X86_64, false), NULL, &err);
	rule = module_rule(module, GO_TEXT + 0x8, true);
	assert_int_equal(rule->path, PATH_SP);
	assert_int_equal(rule->cfa.value, 40);
	assert_false(rule->not_called);
	assert_true(module_rule(module, GO_TEXT + 0x8, false)->unproved);
	rule = module_rule(module, GO_TEXT + 0x20, true); /* not behind a call at the end of mcall */
	assert_int_equal(rule->path, PATH_GENERAL);
	assert_int_equal(rule->cfa.value, 8);
	assert_true(rule->not_called);
	assert_int_equal(module_rule(module, GO_TEXT + 0x1f, true)->path, PATH_ROOT);
	module_destroy(module);
	strbuf_fini(&table);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(tables_of_all_versions_say_the_same),
		cmocka_unit_test(a_table_that_is_cut_off_or_of_another_kind_is_none),
		cmocka_unit_test(what_is_called_back_returns_to_the_goroutine_that_called_c),
		cmocka_unit_test(a_stripped_program_is_unwound_by_its_sizes_of_frames),
	};

	return cmocka_run_group_tests_name("unwind/go_functions", tests, NULL, NULL);
}
