#include "symbol/elf_symbols.h"

#include <elf.h>
#include <lzma.h>
#include <stdlib.h>
#include <string.h>

#include "support/cmocka.h"
#include "support/elf_builder.h"
#include "support/go_table.h"
#include "support/named_address.h"

#define FUNCTION ELF64_ST_INFO(STB_GLOBAL, STT_FUNC)

static const struct elf_builder_symbol exported[] = { { "exported", 0x1000, 8, FUNCTION, 0, 1 } };
static const struct elf_builder_symbol all[] = {
	{ "exported", 0x1000, 8, FUNCTION, 0, 1 },
	{ "internal", 0x1008, 8, FUNCTION, 0, 1 },
};
static const struct debug_file_search nowhere = { .symfs = "/proc/nonexistent" };

static void start(struct elf_builder *builder)
{
	elf_builder_init(builder, true, false, ET_DYN, EM_X86_64);
	elf_builder_section(builder, ".text", SHT_PROGBITS, SHF_ALLOC | SHF_EXECINSTR, 0x1000,
			    "0123456789abcdef", 16);
}

static struct elf_symbols *load(struct elf_builder *builder, const char *name,
				const struct debug_file_search *search)
{
	struct elf_symbols *symbols = elf_symbols_open(elf_builder_open(builder, name), search);

	elf_symbols_read(symbols, SYMBOL_MAP_INNERMOST_FUNCTION, NULL, NULL);
	return symbols;
}

static void assert_name(struct elf_symbols *symbols, uint64_t vaddr, const char *name)
{
	assert_named_address(elf_symbols_map(symbols), vaddr, name);
}

static struct elf_symbols *load_at(struct elf_builder *builder, const uint64_t *vaddrs, size_t count)
{
	struct elf_symbols *symbols = elf_symbols_open(elf_builder_open(builder, "built"), &nowhere);

	elf_symbols_want(symbols, vaddrs, count);
	elf_symbols_read(symbols, SYMBOL_MAP_INNERMOST_FUNCTION, NULL, NULL);
	return symbols;
}

static void of_symbols_at_an_address_only_those_are_kept_until_another_is_reached(void **state)
{
	static const uint64_t vaddr = 0x1002;
	struct elf_builder builder;
	struct elf_symbols *symbols;

	(void)state;
	start(&builder);
	elf_builder_symbols(&builder, SHT_SYMTAB, all, 2);
	symbols = load_at(&builder, &vaddr, 1);
	assert_true(elf_symbols_reach(symbols, vaddr));
	assert_name(symbols, vaddr, "exported");
	assert_string_equal(elf_symbols_source(symbols), "built");
	assert_false(elf_symbols_reach(symbols, 0x1009));
	assert_name(symbols, 0x1009, "internal");
	assert_name(symbols, vaddr, "exported");
	assert_true(elf_symbols_reach(symbols, 0x1003));
	elf_symbols_destroy(symbols);
}

/* Without a name, the second one is no symbol and does not end the label. */
static void nameless_symbols_end_no_label(void **state)
{
	static const struct elf_builder_symbol symbols_of_file[] = {
		{ "label", 0x1000, 0, ELF64_ST_INFO(STB_GLOBAL, STT_NOTYPE), 0, 1 },
		{ "", 0x1008, 4, FUNCTION, 0, 1 },
	};
	static const uint64_t vaddr = 0x100f;
	struct elf_builder builder;
	struct elf_symbols *symbols;

	(void)state;
	start(&builder);
	elf_builder_symbols(&builder, SHT_SYMTAB, symbols_of_file, 2);
	symbols = load_at(&builder, &vaddr, 1);
	assert_name(symbols, vaddr, "label");
	elf_symbols_destroy(symbols);
}

static void symtab_is_preferred_to_dynsym(void **state)
{
	struct elf_builder builder;
	struct elf_symbols *symbols;

	(void)state;
	start(&builder);
	elf_builder_symbols(&builder, SHT_DYNSYM, exported, 1);
	elf_builder_symbols(&builder, SHT_SYMTAB, all, 2);
	symbols = load(&builder, "built", &nowhere);
	assert_name(symbols, 0x1000, "exported");
	assert_name(symbols, 0x1008, "internal");
	assert_string_equal(elf_symbols_source(symbols), "built");
	assert_string_equal(elf_symbols_problem(symbols), "");
	elf_symbols_destroy(symbols);
}

static void dynsym_is_used_where_there_is_no_symtab(void **state)
{
	struct elf_builder builder;
	struct elf_symbols *symbols;

	(void)state;
	start(&builder);
	elf_builder_symbols(&builder, SHT_DYNSYM, exported, 1);
	symbols = load(&builder, "built", &nowhere);
	assert_name(symbols, 0x1000, "exported");
	assert_name(symbols, 0x1008, "nothing");
	elf_symbols_destroy(symbols);
}

static void mini_debuginfo_adds_what_dynsym_leaves_out(void **state)
{
	struct elf_builder builder;
	struct elf_symbols *symbols;
	uint8_t *inner, packed[4096];
	size_t inner_size, packed_size = 0;

	(void)state;
	start(&builder);
	elf_builder_symbols(&builder, SHT_SYMTAB, &all[1], 1);
	inner = elf_builder_finish(&builder, &inner_size);
	elf_builder_fini(&builder);
	assert_int_equal(lzma_easy_buffer_encode(0, LZMA_CHECK_CRC32, NULL, inner, inner_size, packed,
						 &packed_size, sizeof(packed)),
			 LZMA_OK);
	free(inner);
	start(&builder);
	elf_builder_symbols(&builder, SHT_DYNSYM, exported, 1);
	elf_builder_section(&builder, ".gnu_debugdata", SHT_PROGBITS, 0, 0, packed, packed_size);
	symbols = load(&builder, "built", &nowhere);
	assert_name(symbols, 0x1000, "exported");
	assert_name(symbols, 0x1008, "internal");
	assert_string_equal(elf_symbols_source(symbols), "built(.gnu_debugdata)");
	elf_symbols_destroy(symbols);
}

static void debug_file_is_preferred_to_all(void **state)
{
	struct debug_file_search search = { .debug_dirs = NULL };
	struct elf_builder builder;
	struct elf_symbols *symbols;
	struct temp_tree tree;

	(void)state;
	temp_tree_create(&tree);
	search.symfs = tree.root;
	start(&builder);
	elf_builder_build_id(&builder, (const uint8_t *)"\xab\xcd", 2);
	elf_builder_symbols(&builder, SHT_SYMTAB, all, 2);
	elf_builder_write(&builder, &tree, "usr/lib/debug/.build-id/ab/cd.debug");

	start(&builder);
	elf_builder_build_id(&builder, (const uint8_t *)"\xab\xcd", 2);
	elf_builder_symbols(&builder, SHT_SYMTAB, exported, 1);
	symbols = load(&builder, "built", &search);
	assert_name(symbols, 0x1008, "internal");
	assert_string_equal(elf_symbols_source(symbols) + strlen(tree.root),
			    "/usr/lib/debug/.build-id/ab/cd.debug");
	elf_symbols_destroy(symbols);
	temp_tree_remove(&tree);
}

static void stripped_file_has_an_empty_map_and_no_source(void **state)
{
	struct elf_builder builder;
	struct elf_symbols *symbols;

	(void)state;
	start(&builder);
	symbols = load(&builder, "built", &nowhere);
	assert_null(elf_symbols_source(symbols));
	assert_name(symbols, 0x1000, "nothing");
	elf_symbols_destroy(symbols);
}

static void stripped_program_of_go_names_its_functions(void **state)
{
	static const struct built_go_function functions[] = { { "main.main", GO_TEXT, 0 },
							      { "main.(*T).f", GO_TEXT + 16, 0 } };
	struct elf_builder builder;
	struct elf_symbols *symbols;
	struct strbuf table;

	(void)state;
	strbuf_init(&table);
	go_table_build(&table, GO_1_20, false, functions, 2);
	start(&builder);
	elf_builder_section(&builder, ".gopclntab", SHT_PROGBITS, SHF_ALLOC, 0x8000, table.bytes, table.size);
	symbols = load(&builder, "built", &nowhere);
	assert_string_equal(elf_symbols_source(symbols), "built");
	assert_name(symbols, GO_TEXT + 15, "main.main");
	assert_name(symbols, GO_TEXT + 16, "main.(*T).f");
	assert_name(symbols, GO_TEXT + 32, "nothing");
	elf_symbols_destroy(symbols);
	strbuf_fini(&table);
}

static bool have_local(uint32_t table, const struct elf_builder_symbol *from, size_t count)
{
	struct elf_builder builder;
	struct elf_symbols *symbols;
	bool have;

	start(&builder);
	elf_builder_symbols(&builder, table, from, count);
	symbols = load(&builder, "built", &nowhere);
	have = elf_symbols_have_local(symbols);
	elf_symbols_destroy(symbols);
	return have;
}

static void local_functions_are_known_of_whole_tables_only(void **state)
{
	static const struct elf_builder_symbol local[] = {
		{ "static_function", 0x1000, 8, ELF64_ST_INFO(STB_LOCAL, STT_FUNC), 0, 1 },
		{ "exported", 0x1008, 8, FUNCTION, 0, 1 },
	};

	(void)state;
	assert_true(have_local(SHT_SYMTAB, local, 2));
	assert_false(have_local(SHT_SYMTAB, all, 2));
	assert_false(have_local(SHT_DYNSYM, local, 2));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(local_functions_are_known_of_whole_tables_only),
		cmocka_unit_test(symtab_is_preferred_to_dynsym),
		cmocka_unit_test(dynsym_is_used_where_there_is_no_symtab),
		cmocka_unit_test(mini_debuginfo_adds_what_dynsym_leaves_out),
		cmocka_unit_test(debug_file_is_preferred_to_all),
		cmocka_unit_test(stripped_file_has_an_empty_map_and_no_source),
		cmocka_unit_test(stripped_program_of_go_names_its_functions),
		cmocka_unit_test(of_symbols_at_an_address_only_those_are_kept_until_another_is_reached),
		cmocka_unit_test(nameless_symbols_end_no_label),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
