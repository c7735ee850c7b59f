#include "elf/elf_symtab.h"

#include <dlfcn.h>
#include <elf.h>
#include <stdlib.h>
#include <string.h>

#include "support/cmocka.h"
#include "support/collected_symbols.h"
#include "support/elf_builder.h"

#define FUNCTION ELF64_ST_INFO(STB_GLOBAL, STT_FUNC)
#define LABEL ELF64_ST_INFO(STB_LOCAL, STT_NOTYPE)

enum { TEXT = 1, RODATA = 2, DEBUG = 3 }; /* section numbers of build_file() */

static void builder_start(struct elf_builder *builder, bool is_64bit, bool swap, uint16_t machine)
{
	elf_builder_init(builder, is_64bit, swap, ET_DYN, machine);
	elf_builder_section(builder, ".text", SHT_PROGBITS, SHF_ALLOC | SHF_EXECINSTR, 0x1000, "0123456789",
			    10);
	elf_builder_section(builder, ".rodata", SHT_PROGBITS, SHF_ALLOC, 0x2000, "0123456789", 10);
	elf_builder_section(builder, ".debug_str", SHT_PROGBITS, 0, 0, "0123456789", 10);
}

/* Writes a file with these symbols and reads them back. */
static struct collected_symbols read_back(const struct elf_builder_symbol *symbols, size_t count,
					  uint16_t machine, struct elf_file **file)
{
	struct elf_builder builder;
	struct collected_symbols collected = { .count = 0 };

	builder_start(&builder, machine != EM_ARM, false, machine);
	elf_builder_symbols(&builder, SHT_SYMTAB, symbols, count);
	*file = elf_builder_open(&builder, "built");
	assert_int_equal(
		elf_symtab_read(*file, ELF_SYMTAB_FULL, NULL, collected_symbols_add, &collected, NULL), 1);
	return collected;
}

static void functions_are_read_in_every_class_and_byte_order(void **state)
{
	static const struct elf_builder_symbol symbols[] = {
		{ "first", 0x1000, 4, FUNCTION, 0, TEXT },
		{ "second", 0x1004, 0, ELF64_ST_INFO(STB_WEAK, STT_GNU_IFUNC), 0, TEXT },
	};

	(void)state;
	for (int variant = 0; variant < 4; variant++) {
		struct collected_symbols collected = { .count = 0 };
		struct elf_builder builder;
		struct elf_file *file;

		builder_start(&builder, variant & 1, variant & 2, EM_PPC);
		elf_builder_symbols(&builder, SHT_DYNSYM, symbols, 2);
		file = elf_builder_open(&builder, "built");
		assert_int_equal(elf_symtab_read(file, ELF_SYMTAB_FULL, NULL, collected_symbols_add,
						 &collected, NULL),
				 0);
		assert_int_equal(elf_symtab_read(file, ELF_SYMTAB_DYNAMIC, NULL, collected_symbols_add,
						 &collected, NULL),
				 1);
		assert_int_equal(collected.count, 2);
		assert_string_equal(collected.symbols[0].name, "first");
		assert_int_equal(collected.symbols[0].vaddr, 0x1000);
		assert_int_equal(collected.symbols[0].size_bytes, 4);
		assert_int_equal(collected.symbols[0].binding, STB_GLOBAL);
		assert_int_equal(collected.symbols[0].type, STT_FUNC);
		assert_string_equal(collected.symbols[1].name, "second");
		assert_int_equal(collected.symbols[1].binding, STB_WEAK);
		assert_int_equal(collected.symbols[1].type, STT_GNU_IFUNC);
		elf_file_close(file);
	}
}

static void what_names_no_code_is_left_out(void **state)
{
	static const struct elf_builder_symbol symbols[] = {
		{ "undefined", 0, 0, FUNCTION, 0, SHN_UNDEF },
		{ "absolute", 0x1000, 0, FUNCTION, 0, SHN_ABS },
		{ "common", 8, 8, ELF64_ST_INFO(STB_GLOBAL, STT_OBJECT), 0, SHN_COMMON },
		{ "no such section", 0x1000, 8, FUNCTION, 0, 77 },
		{ "variable", 0x2000, 8, ELF64_ST_INFO(STB_GLOBAL, STT_OBJECT), 0, RODATA },
		{ "label in data", 0x2000, 0, LABEL, 0, RODATA },
		{ "hidden label", 0x1000, 0, LABEL, STV_HIDDEN, TEXT },
		{ "", 0x1000, 0, FUNCTION, 0, TEXT },
		{ "section", 0x1000, 0, ELF64_ST_INFO(STB_LOCAL, STT_SECTION), 0, TEXT },
		{ "file.c", 0, 0, ELF64_ST_INFO(STB_LOCAL, STT_FILE), 0, TEXT },
		{ "thread local", 0, 4, ELF64_ST_INFO(STB_LOCAL, STT_TLS), 0, TEXT },
		{ "warning", 0, 4, FUNCTION, 0, DEBUG }, /* in a section that is not loaded */
		{ ".L12", 0x1002, 0, LABEL, 0, TEXT },
		{ "kept", 0x1000, 4, FUNCTION, 0, TEXT },
	};
	struct elf_file *file;
	struct collected_symbols collected =
		read_back(symbols, sizeof(symbols) / sizeof(symbols[0]), EM_X86_64, &file);

	(void)state;
	assert_int_equal(collected.count, 1);
	assert_string_equal(collected.symbols[0].name, "kept");
	elf_file_close(file);
}

static void labels_and_mistyped_objects_in_code_are_kept(void **state)
{
	static const struct elf_builder_symbol symbols[] = {
		{ "assembly_label", 0x1000, 0, LABEL, 0, TEXT },
		{ "assembly_object", 0x1004, 4, ELF64_ST_INFO(STB_LOCAL, STT_OBJECT), 0, TEXT },
	};
	struct elf_file *file;
	struct collected_symbols collected = read_back(symbols, 2, EM_X86_64, &file);

	(void)state;
	assert_int_equal(collected.count, 2);
	elf_file_close(file);
}

static void mapping_symbols_are_left_out_where_assemblers_make_them(void **state)
{
	static const struct elf_builder_symbol symbols[] = {
		{ "$x", 0x1000, 0, LABEL, 0, TEXT },
		{ "$d.12", 0x1002, 0, LABEL, 0, TEXT },
		{ "$xrv64i2p1", 0x1002, 0, LABEL, 0, TEXT },
		{ "$dollar", 0x1003, 0, LABEL, 0, TEXT },
	};
	struct elf_file *file;
	struct collected_symbols collected = read_back(symbols, 4, EM_AARCH64, &file);

	(void)state;
	assert_int_equal(collected.count, 1);
	assert_string_equal(collected.symbols[0].name, "$dollar");
	elf_file_close(file);
	collected = read_back(symbols, 4, EM_X86_64, &file);
	assert_int_equal(collected.count, 4);
	elf_file_close(file);
}

static void thumb_bit_of_arm_functions_is_no_part_of_the_address(void **state)
{
	static const struct elf_builder_symbol symbols[] = { { "thumb", 0x1001, 4, FUNCTION, 0, TEXT } };
	struct elf_file *file;
	struct collected_symbols collected = read_back(symbols, 1, EM_ARM, &file);

	(void)state;
	assert_int_equal(collected.symbols[0].vaddr, 0x1000);
	elf_file_close(file);
}

/* 64-bit PowerPC ELF ABI supplement 1.9, 3.2.5: a function's symbol names its descriptor. */
static void descriptors_of_ppc64_lead_to_entry_points(void **state)
{
	static const struct elf_builder_symbol symbols[] = {
		{ "f", 0x3018, 24, FUNCTION, 0, 4 },
		{ "outside", 0x4000, 24, FUNCTION, 0, 4 },
	};
	struct collected_symbols collected = { .count = 0 };
	struct elf_builder builder;
	struct elf_file *file;
	struct strbuf opd;

	(void)state;
	builder_start(&builder, true, true, EM_PPC64);
	strbuf_init(&opd);
	strbuf_add_zeros(&opd, 24);
	strbuf_add_u64(&opd, 0x1004, true);
	strbuf_add_zeros(&opd, 16);
	assert_int_equal(elf_builder_section(&builder, ".opd", SHT_PROGBITS, SHF_ALLOC | SHF_WRITE, 0x3000,
					     opd.bytes, opd.size),
			 4);
	elf_builder_symbols(&builder, SHT_SYMTAB, symbols, 2);
	file = elf_builder_open(&builder, "built");
	assert_int_equal(
		elf_symtab_read(file, ELF_SYMTAB_FULL, NULL, collected_symbols_add, &collected, NULL), 1);
	assert_int_equal(collected.count, 1);
	assert_int_equal(collected.symbols[0].vaddr, 0x1004);
	elf_file_close(file);
	strbuf_fini(&opd);
}

static void names_outside_of_the_strings_are_left_out(void **state)
{
	static const struct elf_builder_symbol symbols[] = {
		{ "lost", 0x1000, 4, FUNCTION, 0, TEXT },
		{ "a name that reaches to the end", 0x1004, 4, FUNCTION, 0, TEXT },
	};
	struct collected_symbols collected = { .count = 0 };
	struct elf_builder builder;
	struct elf_file *file;
	uint32_t table;

	(void)state;
	builder_start(&builder, true, false, EM_X86_64);
	table = elf_builder_symbols(&builder, SHT_SYMTAB, symbols, 2);
	builder.sections[builder.sections[table].link].size -= 1; /* the last name has no terminator */
	file = elf_builder_open(&builder, "built");
	assert_int_equal(
		elf_symtab_read(file, ELF_SYMTAB_FULL, NULL, collected_symbols_add, &collected, NULL), 1);
	assert_int_equal(collected.count, 1);
	assert_string_equal(collected.symbols[0].name, "lost");
	elf_file_close(file);
}

/* Builds a symbol table with one function and returns its section number. */
static uint32_t start_with_one(struct elf_builder *builder)
{
	static const struct elf_builder_symbol f = { "f", 0x1000, 4, FUNCTION, 0, TEXT };

	builder_start(builder, true, false, EM_X86_64);
	return elf_builder_symbols(builder, SHT_SYMTAB, &f, 1);
}

static void table_whose_strings_are_nowhere_is_damaged(void **state)
{
	struct collected_symbols collected = { .count = 0 };
	struct elf_builder builder;
	struct elf_file *file;
	struct error err;
	uint32_t table;

	(void)state;
	table = start_with_one(&builder);
	builder.sections[table].link = 0x80000000;
	file = elf_builder_open(&builder, "built");
	assert_int_equal(
		elf_symtab_read(file, ELF_SYMTAB_FULL, NULL, collected_symbols_add, &collected, &err), -1);
	assert_string_equal(err.message,
			    "built: .symtab names section 2147483648 for its strings, which does not exist");
	assert_int_equal(collected.count, 0);
	elf_file_close(file);
}

/* A table that names itself as its string table is read as plain bytes. */
static void table_that_is_its_own_strings_does_no_harm(void **state)
{
	struct collected_symbols collected = { .count = 0 };
	struct elf_builder builder;
	struct elf_file *file;
	uint32_t table;

	(void)state;
	table = start_with_one(&builder);
	builder.sections[table].link = table;
	builder.sections[table].entry_size = 0;
	file = elf_builder_open(&builder, "built");
	assert_true(elf_symtab_read(file, ELF_SYMTAB_FULL, NULL, collected_symbols_add, &collected, NULL) ==
		    1);
	elf_file_close(file);
}

struct wanted {
	const char *name;
	uint64_t vaddr;
};

static void look_for(const struct elf_symbol *symbol, void *context)
{
	struct wanted *wanted = context;

	if (strcmp(symbol->name, wanted->name) == 0)
		wanted->vaddr = symbol->vaddr;
}

static void this_programs_functions_are_where_they_run(void **state)
{
	struct elf_file *file = elf_file_open("/proc/self/exe", NULL);
	struct wanted wanted = { "this_programs_functions_are_where_they_run", 0 };
	Dl_info place;

	(void)state;
	assert_int_not_equal(dladdr((void *)look_for, &place), 0);
	assert_int_equal(elf_symtab_read(file, ELF_SYMTAB_FULL, NULL, look_for, &wanted, NULL), 1);
	assert_int_equal(wanted.vaddr,
			 (uintptr_t)this_programs_functions_are_where_they_run - (uintptr_t)place.dli_fbase);
	elf_file_close(file);
}

/* Wants only functions at `vaddr`; counts the calls of `want`. */
struct asking {
	uint64_t vaddr;
	size_t asked;
	struct collected_symbols collected;
};

static bool want_one(uint64_t vaddr, uint64_t size_bytes, void *context)
{
	struct asking *asking = context;

	(void)size_bytes;
	asking->asked++;
	return vaddr == asking->vaddr;
}

static void collect_one(const struct elf_symbol *symbol, void *context)
{
	collected_symbols_add(symbol, &((struct asking *)context)->collected);
}

static void a_filter_spares_questions_and_leaves_out_nothing(void **state)
{
	static const uint16_t machines[] = { EM_X86_64, EM_AARCH64, EM_ARM };
	struct elf_builder_symbol symbols[20];

	(void)state;
	for (uint64_t i = 0; i < 20; i++)
		symbols[i] =
			(struct elf_builder_symbol){ "function", 0x1001 + 2 * (i / 2), 2, FUNCTION, 0, TEXT };
	for (size_t i = 0; i < sizeof(machines) / sizeof(*machines); i++) {
		/* On ARM an odd address means Thumb code: the filter has addresses without that bit. */
		struct asking asking = { .vaddr = machines[i] == EM_ARM ? 0x1006 : 0x1007 };
		struct vaddr_filter filter;
		const struct elf_symbol_choice choice = { .filter = &filter, .want = want_one };
		struct elf_file *file;

		(void)read_back(symbols, 20, machines[i], &file);
		vaddr_filter_init(&filter, &asking.vaddr, 1);
		assert_int_equal(elf_symtab_read(file, ELF_SYMTAB_FULL, &choice, collect_one, &asking, NULL),
				 1);
		assert_int_equal(asking.collected.count, 2);
		assert_int_equal(asking.collected.symbols[0].vaddr, asking.vaddr);
		assert_true(machines[i] == EM_ARM || asking.asked < 20);
		free(filter.bits);
		elf_file_close(file);
	}
}

static void a_filter_has_all_its_addresses(void **state)
{
	enum { ADDRESSES = 10000 };
	static uint64_t vaddrs[ADDRESSES];
	struct vaddr_filter filter;
	int others = 0;

	(void)state;
	for (uint64_t i = 0; i < ADDRESSES; i++)
		vaddrs[i] = 0x401000 + 16 * i;
	vaddr_filter_init(&filter, vaddrs, ADDRESSES);
	for (size_t i = 0; i < ADDRESSES; i++) {
		assert_true(vaddr_filter_may_have(&filter, vaddrs[i]));
		others += vaddr_filter_may_have(&filter, vaddrs[i] + 5);
	}
	assert_true(others < ADDRESSES / 5);
	free(filter.bits);
	vaddr_filter_init(&filter, NULL, 0);
	assert_false(vaddr_filter_may_have(&filter, 0));
	free(filter.bits);
}

static void a_window_sees_what_begins_in_it_or_goes_on_up_to_it(void **state)
{
	const struct vaddr_window window = { 100, 199 };

	(void)state;
	assert_true(vaddr_window_sees(&window, 100, 0));
	assert_true(vaddr_window_sees(&window, 199, 0));
	assert_false(vaddr_window_sees(&window, 200, 50));
	assert_false(vaddr_window_sees(&window, 99, 0));
	assert_true(vaddr_window_sees(&window, 99, 1));
	assert_true(vaddr_window_sees(&window, 50, UINT64_MAX));
	assert_false(vaddr_window_sees(&window, 50, 49));
	assert_true(vaddr_window_sees(&(struct vaddr_window){ 0, UINT64_MAX }, UINT64_MAX, 0));
}

static void a_window_spares_questions_and_leaves_out_nothing(void **state)
{
	static const uint16_t machines[] = { EM_X86_64, EM_ARM };
	const struct vaddr_window window = { 0x1006, 0x1008 };
	const struct elf_symbol_choice choice = { .window = &window, .want = want_one };
	struct elf_builder_symbol symbols[20];

	(void)state;
	for (uint64_t i = 0; i < 20; i++)
		symbols[i] = (struct elf_builder_symbol){ "function", 0x1001 + i, 2, FUNCTION, 0, TEXT };
	for (size_t i = 0; i < sizeof(machines) / sizeof(*machines); i++) {
		/* On ARM the symbol at 0x1007 counts as 0x1006. */
		struct asking asking = { .vaddr = 0x1006 };
		struct elf_file *file;

		(void)read_back(symbols, 20, machines[i], &file);
		assert_int_equal(elf_symtab_read(file, ELF_SYMTAB_FULL, &choice, collect_one, &asking, NULL),
				 1);
		assert_int_equal(asking.collected.count, machines[i] == EM_ARM ? 2 : 1);
		assert_int_equal(asking.asked, machines[i] == EM_ARM ? 20 : 5);
		elf_file_close(file);
	}
}

static bool has_local_functions(uint32_t table, const struct elf_builder_symbol *symbols, size_t count)
{
	struct elf_builder builder;
	struct elf_file *file;
	bool has;

	builder_start(&builder, true, false, EM_X86_64);
	elf_builder_symbols(&builder, table, symbols, count);
	file = elf_builder_open(&builder, "built");
	has = elf_symtab_has_local_functions(file);
	elf_file_close(file);
	return has;
}

static void local_functions_with_sizes_tell_that_none_was_taken_out(void **state)
{
	static const struct elf_builder_symbol none[] = {
		{ "label", 0x1000, 0, LABEL, 0, TEXT },
		{ "start-up code without a size", 0x1000, 0, ELF64_ST_INFO(STB_LOCAL, STT_FUNC), 0, TEXT },
		{ "local data", 0x2000, 4, ELF64_ST_INFO(STB_LOCAL, STT_OBJECT), 0, RODATA },
		{ "global", 0x1004, 4, FUNCTION, 0, TEXT },
	};
	static const struct elf_builder_symbol one[] = {
		{ "label", 0x1000, 0, LABEL, 0, TEXT },
		{ "static_function", 0x1000, 4, ELF64_ST_INFO(STB_LOCAL, STT_FUNC), 0, TEXT },
	};

	(void)state;
	assert_false(has_local_functions(SHT_SYMTAB, none, 4));
	assert_true(has_local_functions(SHT_SYMTAB, one, 2));
	assert_false(has_local_functions(SHT_DYNSYM, one, 2));
}

static void variables_are_read_apart_from_functions(void **state)
{
	static const struct elf_builder_symbol symbols[] = {
		{ "function", 0x1000, 4, FUNCTION, 0, TEXT },
		{ "table", 0x2000, 8, ELF64_ST_INFO(STB_LOCAL, STT_OBJECT), 0, RODATA },
		{ "code_by_the_wrong_type", 0x1004, 4, ELF64_ST_INFO(STB_GLOBAL, STT_OBJECT), 0, TEXT },
		{ "not_in_memory", 0, 4, ELF64_ST_INFO(STB_GLOBAL, STT_OBJECT), 0, DEBUG },
	};
	struct collected_symbols collected = { .count = 0 };
	struct elf_builder builder;
	struct elf_file *file;

	(void)state;
	builder_start(&builder, true, false, EM_X86_64);
	elf_builder_symbols(&builder, SHT_SYMTAB, symbols, 4);
	file = elf_builder_open(&builder, "built");
	assert_int_equal(elf_symtab_read(file, ELF_SYMTAB_FULL,
					 &(struct elf_symbol_choice){ .of_data = true },
					 collected_symbols_add, &collected, NULL),
			 1);
	assert_int_equal(collected.count, 1);
	assert_string_equal(collected.symbols[0].name, "table");
	assert_int_equal(collected.symbols[0].vaddr, 0x2000);
	elf_file_close(file);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_filter_spares_questions_and_leaves_out_nothing),
		cmocka_unit_test(a_filter_has_all_its_addresses),
		cmocka_unit_test(a_window_sees_what_begins_in_it_or_goes_on_up_to_it),
		cmocka_unit_test(a_window_spares_questions_and_leaves_out_nothing),
		cmocka_unit_test(functions_are_read_in_every_class_and_byte_order),
		cmocka_unit_test(what_names_no_code_is_left_out),
		cmocka_unit_test(labels_and_mistyped_objects_in_code_are_kept),
		cmocka_unit_test(local_functions_with_sizes_tell_that_none_was_taken_out),
		cmocka_unit_test(mapping_symbols_are_left_out_where_assemblers_make_them),
		cmocka_unit_test(thumb_bit_of_arm_functions_is_no_part_of_the_address),
		cmocka_unit_test(descriptors_of_ppc64_lead_to_entry_points),
		cmocka_unit_test(names_outside_of_the_strings_are_left_out),
		cmocka_unit_test(table_whose_strings_are_nowhere_is_damaged),
		cmocka_unit_test(table_that_is_its_own_strings_does_no_harm),
		cmocka_unit_test(this_programs_functions_are_where_they_run),
		cmocka_unit_test(variables_are_read_apart_from_functions),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
