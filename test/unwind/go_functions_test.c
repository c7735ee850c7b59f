#include "unwind/go_functions.h"

#include <elf.h>
#include <stdlib.h>
#include <string.h>

#include "support/cmocka.h"
#include "support/elf_builder.h"
#include "unwind/module.h"

enum { TEXT = 0x1000, HEADER_BYTES = 72, GO_1_16 = 0xfa, GO_1_18 = 0xf0, GO_1_20 = 0xf1 };

/* One function: its frame grows by 32 bytes behind its first 4, and is gone in its last. */
struct built_function {
	const char *name;
	uint64_t start;
	uint8_t flags;
};

struct table {
	struct strbuf bytes;
	uint8_t version;
	bool swap;
};

static void u32(struct table *table, uint32_t value)
{
	strbuf_add_u32(&table->bytes, value, table->swap);
}

static void u64(struct table *table, uint64_t value)
{
	strbuf_add_u64(&table->bytes, value, table->swap);
}

static void word(struct table *table, uint64_t value)
{
	if (table->version == GO_1_16)
		u64(table, value);
	else
		u32(table, (uint32_t)value);
}

enum { NAMES_BYTES = 128, SIZES_BYTES = 16, FUNCTION_BYTES = 64 };

static void header(struct table *table, size_t count)
{
	u32(table, 0xffffff00u | table->version);
	strbuf_add(&table->bytes, "\0\0\1\x08", 4); /* quantum 1, pointers of 8 bytes */
	u64(table, count);
	u64(table, 0);
	if (table->version != GO_1_16)
		u64(table, TEXT);
	u64(table, HEADER_BYTES); /* names */
	u64(table, 0);
	u64(table, 0);
	u64(table, HEADER_BYTES + NAMES_BYTES);               /* frame sizes */
	u64(table, HEADER_BYTES + NAMES_BYTES + SIZES_BYTES); /* functions */
	strbuf_add_zeros(&table->bytes, HEADER_BYTES - table->bytes.size);
}

static void names_and_sizes(struct table *table, const struct built_function *functions, size_t count)
{
	/* 0 for 4 bytes (from -1: +1), 32 for 11 (+32), 0 for one (-32); zigzag, then the end. */
	static const uint8_t sizes[] = { 0, 2, 4, 64, 11, 63, 1, 0 };
	size_t end = table->bytes.size + NAMES_BYTES;

	for (size_t i = 0; i < count; i++)
		strbuf_add(&table->bytes, functions[i].name, strlen(functions[i].name) + 1);
	strbuf_add_zeros(&table->bytes, end - table->bytes.size);
	strbuf_add(&table->bytes, sizes, sizeof(sizes));
	strbuf_add_zeros(&table->bytes, SIZES_BYTES - sizeof(sizes));
}

static void add_functions(struct table *table, const struct built_function *functions, size_t count)
{
	const uint64_t base = table->version == GO_1_16 ? 0 : TEXT;
	const size_t entry_bytes = table->version == GO_1_16 ? 16 : 8, first = entry_bytes * (count + 1);
	uint32_t name = 0;

	for (size_t i = 0; i <= count; i++) {
		word(table, i < count ? functions[i].start - base : functions[count - 1].start + 16 - base);
		word(table, i < count ? first + i * FUNCTION_BYTES : 0);
	}
	for (size_t i = 0; i < count; i++) {
		size_t end = table->bytes.size + FUNCTION_BYTES;

		word(table, functions[i].start - base);
		u32(table, name);
		u32(table, 0);
		u32(table, 0);
		u32(table, 1); /* offset of the frame sizes */
		strbuf_add_zeros(&table->bytes, table->version == GO_1_20 ? 20 : 16);
		strbuf_addc(&table->bytes, 0);
		strbuf_addc(&table->bytes, (char)functions[i].flags);
		strbuf_add_zeros(&table->bytes, end - table->bytes.size);
		name += (uint32_t)strlen(functions[i].name) + 1;
	}
}

static const struct built_function program[] = {
	{ "_rt0_amd64_linux", TEXT, 0 },         { "main.main", TEXT + 0x10, 0 },
	{ "runtime.goexit", TEXT + 0x20, 1 },    { "runtime.systemstack", TEXT + 0x30, 2 },
	{ "runtime.nanotime1", TEXT + 0x40, 2 }, { "runtime.sigtramp", TEXT + 0x50, 1 },
};
enum { FUNCTIONS = sizeof(program) / sizeof(*program) };

static void build(struct table *table, uint8_t version, bool swap)
{
	*table = (struct table){ .version = version, .swap = swap };
	strbuf_init(&table->bytes);
	header(table, FUNCTIONS);
	names_and_sizes(table, program, FUNCTIONS);
	add_functions(table, program, FUNCTIONS);
}

static struct elf_file *file_with(const void *bytes, size_t size, uint16_t machine, bool swap)
{
	struct elf_builder builder;
	struct elf_file *file;
	struct error err;
	uint8_t *image;
	size_t image_size;

	elf_builder_init(&builder, true, swap, ET_EXEC, machine);
	elf_builder_section(&builder, ".text", SHT_PROGBITS, SHF_ALLOC | SHF_EXECINSTR, TEXT, NULL, 0);
	elf_builder_section(&builder, ".gopclntab", SHT_PROGBITS, SHF_ALLOC, 0x8000, bytes, size);
	image = elf_builder_finish(&builder, &image_size);
	elf_builder_fini(&builder);
	file = elf_file_open_memory(image, image_size, "go", &err);
	assert_non_null(file);
	return file;
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

static void assert_program(uint8_t version, bool swap)
{
	struct table table;
	struct elf_file *file;
	struct go_functions *functions;
	struct go_function function;

	build(&table, version, swap);
	file = file_with(table.bytes.bytes, table.bytes.size, EM_X86_64, swap);
	functions = go_functions_open(file);
	assert_non_null(functions);
	assert_function(functions, TEXT + 0x10, "main.main", 0);
	assert_function(functions, TEXT + 0x13, "main.main", 0);
	assert_function(functions, TEXT + 0x14, "main.main", 32);
	assert_function(functions, TEXT + 0x1e, "main.main", 32);
	assert_function(functions, TEXT + 0x1f, "main.main", 0);
	assert_function(functions, TEXT + 0x5f, "runtime.sigtramp", 0);
	assert_int_equal(go_functions_find(functions, TEXT - 1, &function), 0);
	assert_int_equal(go_functions_find(functions, TEXT + 0x60, &function), 0);
	assert_int_equal(go_functions_find(functions, TEXT + 0x20, &function), 1);
	assert_true(function.is_top);
	assert_int_equal(function.start, TEXT + 0x20);
	assert_int_equal(function.end, TEXT + 0x30);
	assert_int_equal(go_functions_find(functions, TEXT + 0x30, &function), 1);
	assert_true(function.calls_on_other);
	assert_int_equal(go_functions_find(functions, TEXT + 0x40, &function), 1);
	assert_true(function.moves_to_stack);
	assert_false(function.calls_on_other);
	assert_int_equal(go_functions_find(functions, TEXT + 0x50, &function), 1);
	assert_false(function.is_top); /* the kernel called */
	go_functions_close(functions);
	elf_file_close(file);
	strbuf_fini(&table.bytes);
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
	struct table table;

	(void)state;
	build(&table, GO_1_18, false);
	for (size_t size = 0; size < table.bytes.size; size++) {
		struct go_functions *functions;
		struct go_function function;
		int32_t found;

		file = file_with(table.bytes.bytes, size, EM_X86_64, false);
		functions = go_functions_open(file);

		for (uint64_t vaddr = TEXT; functions && vaddr < TEXT + 0x60; vaddr += 8)
			if (go_functions_find(functions, vaddr, &function))
				(void)go_functions_frame_size(functions, &function, vaddr, &found);
		go_functions_close(functions);
		elf_file_close(file);
	}
	table.bytes.bytes[0] = 0x12;
	file = file_with(table.bytes.bytes, table.bytes.size, EM_X86_64, false);
	assert_null(go_functions_open(file));
	elf_file_close(file);
	strbuf_fini(&table.bytes);
}

static void a_stripped_program_is_unwound_by_its_sizes_of_frames(void **state)
{
	const struct unwind_rule *rule;
	struct module *module;
	struct table table;
	struct error err;

	(void)state;
	build(&table, GO_1_18, false);
	module = module_create(0, file_with(table.bytes.bytes, table.bytes.size, EM_X86_64, false), NULL,
			       &err);
	rule = module_rule(module, TEXT + 0x14, false);
	assert_int_equal(rule->path, PATH_SP);
	assert_int_equal(rule->cfa.value, 40);
	assert_int_equal(rule->ra.value, -8);
	assert_int_equal(rule->fp.value, -16);
	assert_int_equal(module_rule(module, TEXT + 0x10, false)->cfa.value, 8);
	assert_int_equal(module_rule(module, TEXT + 0x21, true)->path, PATH_ROOT); /* goexit */
	assert_int_equal(module_rule(module, TEXT + 0x35, true)->path,
			 PATH_ROOT);                                    /* systemstack has called */
	assert_true(module_rule(module, TEXT + 0x35, false)->unproved); /* or is about to */
	assert_int_equal(module_rule(module, TEXT + 0x45, true)->path, PATH_NO_CFI);
	assert_int_equal(module_rule(module, TEXT + 0x60, false)->path, PATH_NO_CFI);
	module_destroy(module);

	module = module_create(0, file_with(table.bytes.bytes, table.bytes.size, EM_AARCH64, false), NULL,
			       &err);
	rule = module_rule(module, TEXT + 0x14, false);
	assert_int_equal(rule->cfa.value, 32);
	assert_int_equal(rule->ra.value, -32);
	assert_int_equal(rule->fp.value, -40);
	assert_int_equal(module_rule(module, TEXT + 0x10, false)->ra.kind, RULE_SAME_VALUE);
	module_destroy(module);
	strbuf_fini(&table.bytes);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(tables_of_all_versions_say_the_same),
		cmocka_unit_test(a_table_that_is_cut_off_or_of_another_kind_is_none),
		cmocka_unit_test(a_stripped_program_is_unwound_by_its_sizes_of_frames),
	};

	return cmocka_run_group_tests_name("unwind/go_functions", tests, NULL, NULL);
}
