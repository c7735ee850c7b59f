#include "unwind/code/go_rules.h"

#include <elf.h>

#include "support/cmocka.h"
#include "support/go_table.h"
#include "unwind/module.h"

static struct module *make(const struct built_go_function *functions, size_t count, uint16_t machine)
{
	struct module *module;
	struct strbuf table;
	struct error err;

	strbuf_init(&table);
	go_table_build(&table, GO_1_18, false, functions, count);
	module = module_create(0, go_table_file(table.bytes, table.size, machine, false), NULL, &err);
	strbuf_fini(&table);
	assert_non_null(module);
	return module;
}

static void a_stripped_program_is_unwound_by_its_sizes_of_frames(void **state)
{
	static const struct built_go_function functions[] = {
		{ "main.main", GO_TEXT + 0x10, 0 },
		{ "runtime.goexit", GO_TEXT + 0x20, 1 },
		{ "runtime.systemstack", GO_TEXT + 0x30, 2 },
		{ "runtime.nanotime1", GO_TEXT + 0x40, 2 },
	};
	const struct unwind_rule *rule;
	struct module *module;

	(void)state;
	module = make(functions, sizeof(functions) / sizeof(*functions), EM_X86_64);
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

	module = make(functions, sizeof(functions) / sizeof(*functions), EM_AARCH64);
	rule = module_rule(module, GO_TEXT + 0x14, false);
	assert_int_equal(rule->cfa.value, 32);
	assert_int_equal(rule->ra.value, -32);
	assert_int_equal(rule->fp.value, -40);
	assert_int_equal(module_rule(module, GO_TEXT + 0x10, false)->ra.kind, RULE_SAME_VALUE);
	module_destroy(module);
}

/* Go code that C calls back runs above the Go code that called C, on the goroutine's stack. */
static void what_is_called_back_returns_to_the_goroutine_that_called_c(void **state)
{
	static const struct built_go_function functions[] = {
		{ "runtime.cgocallback", GO_TEXT, 2 },
		{ "runtime.mcall", GO_TEXT + 0x10, 2 },
		{ "runtime.systemstack_switch", GO_TEXT + 0x20, 0 },
	};
	const struct unwind_rule *rule;
	struct module *module;

	(void)state;
	module = make(functions, sizeof(functions) / sizeof(*functions), EM_X86_64);
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
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_stripped_program_is_unwound_by_its_sizes_of_frames),
		cmocka_unit_test(what_is_called_back_returns_to_the_goroutine_that_called_c),
	};

	return cmocka_run_group_tests_name("unwind/code/go_rules", tests, NULL, NULL);
}
