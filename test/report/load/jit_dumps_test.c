#include "report/load/jit_dumps.h"

#include <dwarf.h>
#include <elf.h>
#include <string.h>

#include "report/load/recorded_modules.h"
#include "support/cfi_builder.h"
#include "support/cmocka.h"
#include "support/jitdump_builder.h"
#include "support/state_record.h"
#include "support/temp_tree.h"

enum { MEMORY = 0x7f0000000000, CODE_BYTES = CFI_FRAME };

struct fixture {
	struct temp_tree tree;
	struct debug_file_search search;
	struct jitdump_builder builder;
	struct jit_dumps *dumps;
	struct process_table *processes;
	struct state_record record;
};

static struct fixture f;
static const uint8_t code[CODE_BYTES];

static int set_up(void **state)
{
	(void)state;
	f = (struct fixture){ .processes = process_table_create() };
	temp_tree_create(&f.tree);
	f.search = (struct debug_file_search){ .symfs = f.tree.root };
	f.dumps = jit_dumps_create(&f.search);
	jitdump_builder_init(&f.builder, 7, EM_X86_64, false, 0);
	return 0;
}

static int tear_down(void **state)
{
	(void)state;
	state_record_fini(&f.record);
	jitdump_builder_fini(&f.builder);
	jit_dumps_destroy(f.dumps);
	process_table_destroy(f.processes);
	temp_tree_remove(&f.tree);
	return 0;
}

static void load(uint64_t time_ns, const char *name)
{
	jitdump_builder_load(&f.builder,
			     &(struct built_code){ time_ns, MEMORY + 0x1000, name, code, sizeof(code) });
}

static void write_dump(void)
{
	temp_tree_bytes(&f.tree, "tmp/jit-7.dump", f.builder.bytes.bytes, f.builder.bytes.size);
}

/* Maps anonymous memory, then the jitdump file, both at time 5. */
static void map_both(bool is_monotonic)
{
	const struct mmap_of memory = { .pid = 7, .start = MEMORY, .length = 0x100000, .path = "//anon" };
	const struct mmap_of dump = {
		.pid = 7, .start = 0x10000, .length = 0x1000, .path = "/tmp/jit-7.dump"
	};
	const struct event *event = state_mmap2(&f.record, &memory);

	assert_int_equal(process_table_apply(f.processes, event, 5, NULL), 0);
	jit_dumps_apply(f.dumps, f.processes, event, 5, is_monotonic);
	event = state_mmap2(&f.record, &dump);
	assert_int_equal(process_table_apply(f.processes, event, 5, NULL), 0);
	jit_dumps_apply(f.dumps, f.processes, event, 5, is_monotonic);
	jit_dumps_apply(f.dumps, f.processes, event, 5, is_monotonic); /* a second time changes nothing */
}

static const char *name_at(uint64_t time_ns)
{
	const struct jitdump *dump;
	struct mapping mapping;

	if (!process_table_find(f.processes, 7, time_ns, ADDRESS_USER, MEMORY + 0x1010, &mapping))
		return "nothing";
	dump = jit_dumps_of(f.dumps, mapping.dso);
	return dump ? jitdump_find(dump, mapping_to_dso_address(&mapping, MEMORY + 0x1010))->name :
		      mapping.dso->name;
}

static void code_is_known_from_when_it_was_loaded(void **state)
{
	(void)state;
	load(10, "first");
	load(20, "second");
	write_dump();
	map_both(true);
	assert_string_equal(name_at(9), "[JIT] tid 7");
	assert_string_equal(name_at(19), "first");
	assert_string_equal(name_at(20), "second");
	assert_int_equal(jit_dumps_unclear_count(f.dumps), 0);
}

static void on_another_clock_the_last_code_counts(void **state)
{
	(void)state;
	load(10, "first");
	load(20, "second");
	write_dump();
	map_both(false);
	assert_string_equal(name_at(5), "second");
	assert_string_equal(name_at(12), "second");
	assert_int_equal(jit_dumps_unclear_count(f.dumps), 1);
}

static void a_dump_that_is_gone_leaves_memory_without_a_name(void **state)
{
	(void)state;
	map_both(true);
	assert_string_equal(name_at(30), "[JIT] tid 7");
}

/* Maps code with unwind information at MEMORY; returns its mapping. */
static struct mapping map_unwound(void)
{
	static const uint8_t program[] = { DW_CFA_def_cfa_offset, 48 };
	struct cfi_builder frames;
	struct mapping mapping;

	cfi_builder_init(&frames, EM_X86_64);
	cfi_builder_fde(&frames, cfi_builder_usual_cie(&frames), 0x1100, 0x1200, program, sizeof(program));
	jitdump_builder_unwinding(&f.builder, frames.frames.bytes, frames.frames.size, 0);
	cfi_builder_fini(&frames);
	load(10, "f");
	write_dump();
	map_both(true);
	assert_int_equal(process_table_find(f.processes, 7, 10, ADDRESS_USER, MEMORY + 0x2000, &mapping), 1);
	return mapping;
}

/* The code found at an offset into the piece of code that is mapped at MEMORY + 0x2000. */
static struct unwind_mapping module_at(struct dso_modules *modules, const struct mapping *mapping,
				       uint64_t offset, const struct unwind_arch *recorded)
{
	struct mapping there = *mapping;
	struct unwind_mapping found = { .module = NULL };

	there.start += offset;
	there.file_offset += offset;
	jit_dumps_find_module(f.dumps, modules, recorded, &there, &found);
	return found;
}

static void unwinding_information_makes_modules_that_are_shared(void **state)
{
	struct dso_modules *modules = recorded_modules_create(&(struct debug_file_search){ .symfs = "" });
	const struct mapping mapping = map_unwound();
	const struct unwind_mapping begin = module_at(modules, &mapping, 0, NULL),
				    inside = module_at(modules, &mapping, 0x100, NULL);

	(void)state;
	assert_non_null(inside.module);
	assert_int_equal(inside.bias, mapping.start);
	assert_int_equal(module_rule(inside.module, 0x1100, false)->cfa.value, 48);
	assert_int_equal(module_rule(inside.module, 0x1200, false)->path, PATH_NO_CFI);
	assert_ptr_equal(inside.module, begin.module);
	assert_int_equal(begin.bias, mapping.start);
	assert_null(module_at(modules, &mapping, -mapping.file_offset, NULL).module);
	dso_modules_destroy(modules);
}

/* As written by CPython 3.13. */
static void a_dump_without_a_machine_is_of_the_one_that_was_recorded(void **state)
{
	enum { MACHINE_AT = 12 };
	struct dso_modules *modules = recorded_modules_create(&(struct debug_file_search){ .symfs = "" });
	struct mapping mapping;

	(void)state;
	memset(f.builder.bytes.bytes + MACHINE_AT, 0, sizeof(uint32_t));
	mapping = map_unwound();
	assert_null(module_at(modules, &mapping, 0, NULL).module);
	assert_non_null(module_at(modules, &mapping, 0, unwind_arch_find(EM_X86_64)).module);
	dso_modules_destroy(modules);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(code_is_known_from_when_it_was_loaded),
		TEST(on_another_clock_the_last_code_counts),
		TEST(a_dump_that_is_gone_leaves_memory_without_a_name),
		TEST(unwinding_information_makes_modules_that_are_shared),
		TEST(a_dump_without_a_machine_is_of_the_one_that_was_recorded),
	};

	return cmocka_run_group_tests_name("report/load/jit_dumps", tests, NULL, NULL);
}
