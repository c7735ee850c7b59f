#include <elf.h>
#include <stdlib.h>
#include <string.h>

#include "elf/elf_file.h"
#include "elf/elf_relocatable.h"
#include "elf/elf_symtab.h"
#include "support/cmocka.h"
#include "support/elf_builder.h"

enum { CODE = SHF_ALLOC | SHF_EXECINSTR };

static uint64_t vaddr_of(const struct elf_file *file, uint32_t number)
{
	struct elf_section section;

	elf_file_section_header(file, number, &section);
	return section.vaddr;
}

static void code_is_placed_as_the_kernel_places_that_of_modules(void **state)
{
	uint32_t data, text, init, unlikely, debug;
	struct elf_builder builder;
	struct elf_file *file;
	uint64_t vaddr;

	(void)state;
	elf_builder_init(&builder, true, false, ET_REL, EM_X86_64);
	data = elf_builder_section(&builder, ".data", SHT_PROGBITS, SHF_ALLOC | SHF_WRITE, 0, "data", 4);
	text = elf_builder_section(&builder, ".text", SHT_PROGBITS, CODE, 0, "0123456789", 10);
	init = elf_builder_section(&builder, ".init.text", SHT_PROGBITS, CODE, 0, "init", 4);
	unlikely = elf_builder_section(&builder, ".text.unlikely", SHT_PROGBITS, CODE, 0, "cold", 4);
	debug = elf_builder_section(&builder, ".debug_info", SHT_PROGBITS, 0, 0, "info", 4);
	builder.sections[text].alignment = builder.sections[unlikely].alignment = 8;
	builder.sections[init].alignment = builder.sections[data].alignment = 1;
	file = elf_builder_open(&builder, "built.ko");

	assert_int_equal(vaddr_of(file, text), ELF_RELOCATABLE_BASE);
	assert_int_equal(vaddr_of(file, unlikely), ELF_RELOCATABLE_BASE + 16); /* 10, at a multiple of 8 */
	assert_int_equal(vaddr_of(file, init), ELF_RELOCATABLE_BASE + 20);
	assert_int_equal(vaddr_of(file, data), ELF_RELOCATABLE_BASE + 24);
	assert_int_equal(vaddr_of(file, debug), 0);
	assert_int_equal(elf_file_offset_to_vaddr(file, builder.sections[unlikely].file_offset + 1, &vaddr),
			 0);
	assert_int_equal(vaddr, ELF_RELOCATABLE_BASE + 17);
	elf_file_close(file);
}

static void sections_that_somebody_has_placed_stay_there(void **state)
{
	struct elf_builder builder;
	struct elf_file *file;
	uint32_t text;

	(void)state;
	elf_builder_init(&builder, true, false, ET_REL, EM_X86_64);
	text = elf_builder_section(&builder, ".text", SHT_PROGBITS, CODE, 0x400000, "text", 4);
	file = elf_builder_open(&builder, "built.ko");
	assert_int_equal(vaddr_of(file, text), 0x400000);
	elf_file_close(file);
}

static void note_symbol(const struct elf_symbol *symbol, void *context)
{
	*(struct elf_symbol *)context = *symbol;
}

static void symbols_count_from_their_section(void **state)
{
	struct elf_builder_symbol symbols[] = {
		{ "f", 2, 4, ELF64_ST_INFO(STB_GLOBAL, STT_FUNC), 0, 0 },
	};
	struct elf_symbol found = { 0 };
	struct elf_builder builder;
	struct elf_file *file;

	(void)state;
	elf_builder_init(&builder, true, false, ET_REL, EM_X86_64);
	symbols[0].section = (uint16_t)elf_builder_section(&builder, ".text", SHT_PROGBITS, CODE, 0,
							   "0123456789abcdef", 16);
	elf_builder_symbols(&builder, SHT_SYMTAB, symbols, 1);
	file = elf_builder_open(&builder, "built.ko");
	assert_int_equal(elf_symtab_read(file, ELF_SYMTAB_FULL, NULL, note_symbol, &found, NULL), 1);
	assert_int_equal(found.vaddr, ELF_RELOCATABLE_BASE + 2);
	elf_file_close(file);
}

/* --- relocations -------------------------------------------------------------------- */

enum { SYMBOL_F = 1, SYMBOL_UNDEFINED = 2 }; /* f is 2 bytes into .text */

/* A file with .debug_info of 16 bytes and these relocations for it. Numbers are in this machine's byte order. */
static struct elf_file *open_relocated(bool is_64bit, uint16_t machine, uint32_t type, const char *info,
				       const void *entries, size_t size)
{
	struct elf_builder_symbol symbols[] = {
		{ "f", 2, 4, ELF64_ST_INFO(STB_GLOBAL, STT_FUNC), 0, 0 },
		{ "elsewhere", 0, 0, ELF64_ST_INFO(STB_GLOBAL, STT_FUNC), 0, SHN_UNDEF },
	};
	uint32_t debug, relocations;
	struct elf_builder builder;

	elf_builder_init(&builder, is_64bit, false, ET_REL, machine);
	symbols[0].section = (uint16_t)elf_builder_section(&builder, ".text", SHT_PROGBITS, CODE, 0,
							   "0123456789abcdef", 16);
	debug = elf_builder_section(&builder, ".debug_info", SHT_PROGBITS, 0, 0, info, 16);
	relocations = elf_builder_section(&builder, ".rel.debug_info", type, 0, 0, entries, size);
	builder.sections[relocations].info = debug;
	builder.sections[relocations].link = elf_builder_symbols(&builder, SHT_SYMTAB, symbols, 2);
	return elf_builder_open(&builder, "built.ko");
}

static void assert_info(struct elf_file *file, const void *expected)
{
	struct elf_section section;

	for (int again = 0; again < 2; again++) { /* relocations must be applied only once */
		assert_int_equal(elf_file_section(file, ".debug_info", &section, NULL), 1);
		assert_int_equal(section.size, 16);
		assert_memory_equal(section.bytes, expected, 16);
	}
	elf_file_close(file);
}

static void debug_information_says_where_its_sections_lie(void **state)
{
	const Elf64_Rela entries[] = {
		{ 0, ELF64_R_INFO(SYMBOL_F, R_X86_64_64), 5 },
		{ 8, ELF64_R_INFO(SYMBOL_F, R_X86_64_32), (Elf64_Sxword)-1 },
		{ 12, ELF64_R_INFO(SYMBOL_F, R_X86_64_PC32), 0 },
	};
	const struct {
		uint64_t whole;
		uint32_t half, relative;
	} expected = { 0x1007, 0x1001, 0x1002 - 12 };

	(void)state;
	assert_info(open_relocated(true, EM_X86_64, SHT_RELA, "................", entries, sizeof(entries)),
		    &expected);
}

static void addends_may_be_in_the_fields_themselves(void **state)
{
	const Elf32_Rel entries[] = { { 4, ELF32_R_INFO(SYMBOL_F, R_386_32) } };
	const uint32_t fields[] = { 1, 0x20, 3, 4 }, expected[] = { 1, 0x1022, 3, 4 };

	(void)state;
	assert_info(open_relocated(false, EM_386, SHT_REL, (const char *)fields, entries, sizeof(entries)),
		    expected);
}

static void riscv_lengths_are_differences(void **state)
{
	enum { ADD16 = 34, SUB16 = 38, SET6 = 53 };
	const Elf64_Rela entries[] = {
		{ 0, ELF64_R_INFO(SYMBOL_F, ADD16), 8 },
		{ 0, ELF64_R_INFO(SYMBOL_F, SUB16), 0 },
		{ 2, ELF64_R_INFO(SYMBOL_F, SET6), 0 },
	};

	(void)state;
	/* 0 + (f + 8) - f; then the low six bits of 0xc0 become those of 0x1002 */
	assert_info(open_relocated(true, EM_RISCV, SHT_RELA, "\0\0\xc0.............", entries,
				   sizeof(entries)),
		    "\x08\0\xc2.............");
}

static void what_cannot_be_told_stays_as_it_is(void **state)
{
	const Elf64_Rela entries[] = {
		{ 0, ELF64_R_INFO(SYMBOL_UNDEFINED, R_X86_64_64), 5 },
		{ 0, ELF64_R_INFO(77, R_X86_64_64), 5 },
		{ 0, ELF64_R_INFO(SYMBOL_F, R_X86_64_GOTPCREL), 5 },
		{ 12, ELF64_R_INFO(SYMBOL_F, R_X86_64_64), 5 },
		{ UINT64_MAX - 3, ELF64_R_INFO(SYMBOL_F, R_X86_64_64), 5 },
	};

	(void)state;
	assert_info(open_relocated(true, EM_X86_64, SHT_RELA, "................", entries,
				   sizeof(entries) - 3 /* cut off */),
		    "................");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(code_is_placed_as_the_kernel_places_that_of_modules),
		cmocka_unit_test(sections_that_somebody_has_placed_stay_there),
		cmocka_unit_test(symbols_count_from_their_section),
		cmocka_unit_test(debug_information_says_where_its_sections_lie),
		cmocka_unit_test(addends_may_be_in_the_fields_themselves),
		cmocka_unit_test(riscv_lengths_are_differences),
		cmocka_unit_test(what_cannot_be_told_stays_as_it_is),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
