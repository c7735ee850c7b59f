#include "symbol/symbol_excerpt.h"

#include <elf.h>

#include "support/cmocka.h"
#include "support/collected_symbols.h"
#include "support/elf_builder.h"
#include "support/elf_copy.h"
#include "symbol/elf_symbols.h"

#define FUNCTION(binding) ELF64_ST_INFO(binding, STT_FUNC)

enum { TEXT = 0x1000 };

static const struct debug_file_search nowhere = { .symfs = "/proc/nonexistent" };

/*
 * Bit n of `addresses`: TEXT + 16 * n is wanted. `expected`: names of the symbols kept, in the order of the table, with
 * blanks.
 */
static void assert_kept(const struct elf_builder_symbol *symbols, size_t count, unsigned int addresses,
			const char *expected)
{
	struct collected_symbols found = { .count = 0 };
	struct elf_builder builder;
	struct elf_symbols *settled;
	struct elf_excerpt *excerpt;
	struct elf_excerpt_image image;
	struct elf_file *file, *read;
	struct strbuf names;
	uint64_t asked[32], text_offset;
	uint32_t section;
	size_t asked_count = 0;

	elf_builder_init(&builder, true, false, ET_DYN, EM_X86_64);
	section = elf_builder_section(&builder, ".text", SHT_PROGBITS, SHF_ALLOC | SHF_EXECINSTR, TEXT,
				      (const uint8_t[512]){ 0 }, 512);
	text_offset = builder.sections[section].file_offset;
	elf_builder_code_segment(&builder, section);
	elf_builder_symbols(&builder, SHT_SYMTAB, symbols, count);
	file = elf_builder_open(&builder, "built");
	for (unsigned int n = 0; n < 32; n++)
		if (addresses >> n & 1)
			asked[asked_count++] = text_offset + 16 * n;
	settled = elf_symbols_open(file, &nowhere);
	elf_symbols_settle(settled, SYMBOL_MAP_INNERMOST_FUNCTION);
	excerpt = elf_excerpt_create(file);
	symbol_excerpt_make(excerpt, elf_symbols_map(settled), asked, asked_count);
	assert_int_equal(elf_excerpt_finish(excerpt, &image, NULL), 0);
	read = elf_copy_open(image.bytes, image.size, "excerpt", NULL);
	(void)elf_symtab_read(read, ELF_SYMTAB_FULL, NULL, collected_symbols_add, &found, NULL);
	strbuf_init(&names);
	for (size_t i = 0; i < found.count; i++)
		strbuf_addf(&names, "%s%s+%u", i ? " " : "", found.symbols[i].name,
			    (unsigned int)found.symbols[i].size_bytes);
	assert_string_equal(names.bytes ? names.bytes : "", expected);
	strbuf_fini(&names);
	elf_file_close(read);
	elf_excerpt_destroy(excerpt);
	elf_symbols_destroy(settled);
}

static void only_symbols_that_were_hit_are_kept(void **state)
{
	static const struct elf_builder_symbol symbols[] = {
		{ "one", TEXT, 16, FUNCTION(STB_GLOBAL), 0, 1 },
		{ "two", TEXT + 16, 16, FUNCTION(STB_GLOBAL), 0, 1 },
		{ "three", TEXT + 32, 16, FUNCTION(STB_GLOBAL), 0, 1 },
	};

	(void)state;
	assert_kept(symbols, 3, 1 << 1, "two+16");
	assert_kept(symbols, 3, 1 << 0 | 1 << 2, "one+16 three+16");
	assert_kept(symbols, 3, 1 << 3, "");
	assert_kept(symbols, 3, 0, "");
}

/* The style of names decides which of the aliases is shown. */
static void all_aliases_are_kept_in_their_order(void **state)
{
	static const struct elf_builder_symbol symbols[] = {
		{ "_Z1av", TEXT, 16, FUNCTION(STB_GLOBAL), 0, 1 },
		{ "b", TEXT, 16, FUNCTION(STB_GLOBAL), 0, 1 },
		{ "_Z1cv", TEXT, 16, FUNCTION(STB_GLOBAL), 0, 1 },
	};

	(void)state;
	assert_kept(symbols, 3, 1 << 0, "_Z1av+16 b+16 _Z1cv+16");
}

static void missing_sizes_are_those_that_they_had(void **state)
{
	static const struct elf_builder_symbol symbols[] = {
		{ "label", TEXT, 0, ELF64_ST_INFO(STB_GLOBAL, STT_NOTYPE), 0, 1 },
		{ "next", TEXT + 48, 16, FUNCTION(STB_GLOBAL), 0, 1 },
	};

	(void)state;
	assert_kept(symbols, 2, 1 << 2, "label+48");
}

/* An address behind the end of the shorter alias belongs to the longer one, or to what surrounds both. */
static void what_an_alias_might_not_reach_is_looked_for_around_it(void **state)
{
	static const struct elf_builder_symbol symbols[] = {
		{ "outer", TEXT, 128, FUNCTION(STB_GLOBAL), 0, 1 },
		{ "between", TEXT + 8, 16, FUNCTION(STB_GLOBAL), 0, 1 },
		{ "short", TEXT + 16, 16, FUNCTION(STB_GLOBAL), 0, 1 },
		{ "long", TEXT + 16, 64, FUNCTION(STB_GLOBAL), 0, 1 },
	};

	(void)state;
	assert_kept(symbols, 4, 1 << 3, "outer+128 short+16 long+64");
	assert_kept(symbols, 4, 1 << 1, "short+16 long+64");
	assert_kept(symbols, 4, 1 << 6, "outer+128");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(only_symbols_that_were_hit_are_kept),
		cmocka_unit_test(all_aliases_are_kept_in_their_order),
		cmocka_unit_test(missing_sizes_are_those_that_they_had),
		cmocka_unit_test(what_an_alias_might_not_reach_is_looked_for_around_it),
	};

	return cmocka_run_group_tests_name("symbol/symbol_excerpt", tests, NULL, NULL);
}
