#include "unwind/code/go_rules.h"

#include <elf.h>

#include "support/cmocka.h"
#include "support/elf_builder.h"
#include "support/go_table.h"
#include "unwind/unwinder.h"

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
			 PATH_ROOT);                                       /* behind systemstack's call */
	assert_true(module_rule(module, GO_TEXT + 0x35, false)->unproved); /* or before it */
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

/* Go code that C calls back runs on the goroutine's stack, called by the Go code that called C. */
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

/* --- with instructions -------------------------------------------------------------- */

enum {
	TIME_NOW = GO_TEXT,
	CLONE = GO_TEXT + 0x20,
	MCALL = GO_TEXT + 0x28,
	GOEXIT = GO_TEXT + 0x30,
	R12 = 12,
	STACK = 0x7000,
	WORDS = 32
};

static const uint8_t code[0x40] = {
	0x49,          0x89, 0xe4,             /* mov %rsp,%r12 */
	0x48,          0x8b, 0x62, 0x38,       /* mov 0x38(%rdx),%rsp */
	0xff,          0xd0,                   /* call *%rax */
	0x4c,          0x89, 0xe4,             /* mov %r12,%rsp */
	0x48,          0x83, 0xc4, 0x18,       /* add $0x18,%rsp */
	0xc3,                                  /* ret */
	[0x20] = 0x0f, 0x05,                   /* syscall */
	0xc3,                                  /* ret */
	[0x30] = 0xe8, 0x00, 0x00, 0x00, 0x00, /* call */
	0x90,
};

static struct module *make_with_code(void)
{
	static const struct built_go_function functions[] = {
		{ "time.now", TIME_NOW, 2 },
		{ "runtime.clone", CLONE, 0 },
		{ "runtime.mcall", MCALL, 2 },
		{ "runtime.goexit", GOEXIT, 1 },
	};
	struct elf_builder builder;
	struct module *module;
	struct strbuf table;
	struct error err;

	strbuf_init(&table);
	go_table_build(&table, GO_1_18, false, functions, sizeof(functions) / sizeof(*functions));
	elf_builder_init(&builder, true, false, ET_EXEC, EM_X86_64);
	elf_builder_code_segment(&builder,
				 elf_builder_section(&builder, ".text", SHT_PROGBITS,
						     SHF_ALLOC | SHF_EXECINSTR, GO_TEXT, code, sizeof(code)));
	elf_builder_section(&builder, ".gopclntab", SHT_PROGBITS, SHF_ALLOC, 0x8000, table.bytes, table.size);
	module = module_create(0, elf_builder_open(&builder, "go"), NULL, &err);
	strbuf_fini(&table);
	assert_non_null(module);
	return module;
}

static bool find_code(void *context, uint64_t address, struct unwind_mapping *mapping)
{
	*mapping = (struct unwind_mapping){
		.start = GO_TEXT, .end = GO_TEXT + sizeof(code), .module = context, .executable = true
	};
	return address >= mapping->start && address < mapping->end;
}

/* Walks from `pc`, with `words` as the stack. Returns the end and the number of frames. */
static enum unwind_end walk_from(struct module *module, uint64_t pc, uint64_t sp, uint64_t r12,
				 const uint64_t *words, size_t *frames)
{
	struct unwind_frame room[8];
	struct unwind_stack stack = { .frames = room, .capacity = 8 };
	struct unwind_input input = {
		.arch = &unwind_arch_x86_64,
		.pc = pc,
		.stack = { .bytes = (const uint8_t *)words, .size = WORDS * sizeof(*words), .address = STACK },
		.find_mapping = find_code,
		.context = module,
	};
	struct unwinder *unwinder = unwinder_create();

	input.registers.known = 0xffff;
	input.registers.value[unwind_arch_x86_64.sp] = sp;
	input.registers.value[R12] = r12;
	unwinder_walk(unwinder, &input, &stack);
	unwinder_destroy(unwinder);
	*frames = stack.count;
	return stack.end;
}

/* Behind the call the stack pointer is restored from r12; 0x18 bytes and the return address lie above that. */
static void a_function_that_keeps_the_stack_pointer_in_a_register_leads_to_the_other_stack(void **state)
{
	const uint64_t words[WORDS] = { [3] = GOEXIT + 5 };
	struct code_instruction instruction;
	const struct unwind_rule *rule;
	struct module *module;
	size_t frames;

	(void)state;
	if (!code_instruction_x86_64((const uint8_t *)"\xc3", 1, &instruction))
		skip();
	module = make_with_code();
	rule = module_rule(module, TIME_NOW + 9, true);
	assert_int_equal(rule->cfa.reg, R12);
	assert_int_equal(rule->cfa.value, 0x20);
	assert_true(rule->changes_stack);
	assert_true(
		module_rule(module, TIME_NOW, false)->unproved); /* the stack pointer is still the right one */
	/* The other stack lies at lower addresses. */
	assert_int_equal(walk_from(module, TIME_NOW + 9, STACK + 0x80, STACK, words, &frames),
			 UNWIND_END_ROOT);
	assert_int_equal(frames, 2);
	module_destroy(module);
}

static void a_thread_begins_in_clone_where_the_one_that_made_it_goes_on(void **state)
{
	struct module *module = make_with_code();
	const uint64_t words[WORDS] = { [0] = GOEXIT + 5, [8] = 1 };
	size_t frames;

	(void)state;
	assert_int_equal(walk_from(module, CLONE + 2, STACK, 0, words, &frames), UNWIND_END_ROOT);
	assert_int_equal(frames, 2);
	assert_int_equal(walk_from(module, CLONE + 2, STACK + 64, 0, words, &frames), UNWIND_END_ROOT);
	assert_int_equal(frames, 1);
	assert_int_equal(walk_from(module, CLONE + 2, STACK + sizeof(words), 0, words, &frames),
			 UNWIND_END_ROOT);
	assert_int_equal(frames, 1);
	module_destroy(module);
}

/* Behind the switch it runs on the thread's stack, while its caller is on the goroutine's. */
static void a_stack_begins_in_what_switches_to_it(void **state)
{
	struct module *module = make_with_code();
	const uint64_t words[WORDS] = { [0] = GOEXIT + 5, [8] = 1 };
	size_t frames;

	(void)state;
	assert_int_equal(walk_from(module, MCALL + 1, STACK, 0, words, &frames), UNWIND_END_ROOT);
	assert_int_equal(frames, 2);
	assert_int_equal(walk_from(module, MCALL + 1, STACK + 64, 0, words, &frames), UNWIND_END_ROOT);
	assert_int_equal(frames, 1);
	assert_int_equal(walk_from(module, MCALL + 1, STACK + sizeof(words), 0, words, &frames),
			 UNWIND_END_STACK_EXHAUSTED);
	module_destroy(module);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_stripped_program_is_unwound_by_its_sizes_of_frames),
		cmocka_unit_test(what_is_called_back_returns_to_the_goroutine_that_called_c),
		cmocka_unit_test(
			a_function_that_keeps_the_stack_pointer_in_a_register_leads_to_the_other_stack),
		cmocka_unit_test(a_thread_begins_in_clone_where_the_one_that_made_it_goes_on),
		cmocka_unit_test(a_stack_begins_in_what_switches_to_it),
	};

	return cmocka_run_group_tests_name("unwind/code/go_rules", tests, NULL, NULL);
}
