#include "elf/elf_plt.h"

#include <elf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/cmocka.h"
#include "support/collected_symbols.h"
#include "support/elf_builder.h"

static const struct elf_builder_symbol imports[] = {
	{ "puts", 0, 0, ELF64_ST_INFO(STB_GLOBAL, STT_FUNC), 0, SHN_UNDEF }, /* symbol 1 */
	{ "exit", 0, 0, ELF64_ST_INFO(STB_GLOBAL, STT_FUNC), 0, SHN_UNDEF }, /* symbol 2 */
};

struct relocation {
	uint64_t slot;
	uint32_t symbol;
	uint32_t type;
	uint64_t addend;
};

static void add_relocations(struct elf_builder *builder, const char *name, uint32_t dynsym,
			    const struct relocation *relocations, size_t count)
{
	struct strbuf bytes;
	uint32_t section;

	strbuf_init(&bytes);
	for (size_t i = 0; i < count; i++) {
		strbuf_add_u64(&bytes, relocations[i].slot, builder->swap);
		strbuf_add_u64(&bytes, ELF64_R_INFO((uint64_t)relocations[i].symbol, relocations[i].type),
			       builder->swap);
		strbuf_add_u64(&bytes, relocations[i].addend, builder->swap);
	}
	section = elf_builder_section(builder, name, SHT_RELA, SHF_ALLOC, 0, bytes.bytes, bytes.size);
	builder->sections[section].link = dynsym;
	strbuf_fini(&bytes);
}

/* The file that a test builds, and the symbols read from it; the teardown closes the file. */
static struct elf_builder builder;
static struct elf_file *file;
static struct collected_symbols collected;

/* Adds relocations of the imports in a section with that name. */
static void begin_with_imports(uint16_t machine, const char *name, const struct relocation *relocations,
			       size_t count)
{
	elf_builder_init(&builder, true, false, ET_DYN, machine);
	add_relocations(&builder, name, elf_builder_symbols(&builder, SHT_DYNSYM, imports, 2), relocations,
			count);
}

/*
 * Slot 4000 is that of puts, 3ff8 of exit. They are not in the order of the entries, as only the slot of an entry's jump counts.
 */
static void begin_with_jump_slots(void)
{
	static const struct relocation relocations[] = {
		{ 0x4000, 1, R_X86_64_JUMP_SLOT, 0 },
		{ 0x3ff8, 2, R_X86_64_JUMP_SLOT, 0 },
	};

	begin_with_imports(EM_X86_64, ".rela.plt", relocations, 2);
}

static void add_code(const char *name, uint64_t vaddr, const void *code, size_t size)
{
	elf_builder_section(&builder, name, SHT_PROGBITS, SHF_ALLOC | SHF_EXECINSTR, vaddr, code, size);
}

static void read_plt(void)
{
	file = elf_builder_open(&builder, "built");
	collected.count = 0;
	assert_int_equal(elf_plt_read(file, collected_symbols_add, &collected, NULL), 1);
}

static int close_file(void **state)
{
	(void)state;
	elf_file_close(file);
	file = NULL;
	return 0;
}

/* "vaddr+size name" of a symbol. */
static void assert_symbol(size_t number, const char *expected)
{
	char text[256];

	assert_true(number < collected.count);
	snprintf(text, sizeof(text), "%llx+%llx %s", (unsigned long long)collected.symbols[number].vaddr,
		 (unsigned long long)collected.symbols[number].size_bytes, collected.symbols[number].name);
	assert_string_equal(text, expected);
}

static void lazy_x86_64_table_has_a_header_and_entries_of_16_bytes(void **state)
{
	static const uint8_t plt[] = {
		0xff, 0x35, 0xe2, 0x2f, 0,    0,    0xff, 0x25,
		0xe4, 0x2f, 0,    0,    0x0f, 0x1f, 0x40, 0, /* 1000: push; jmp */
		0xff, 0x25, 0xe2, 0x2f, 0,    0,    0x68, 0,
		0,    0,    0,    0xe9, 0xe0, 0xff, 0xff, 0xff, /* 1010: jmp *3ff8 */
		0xff, 0x25, 0xda, 0x2f, 0,    0,    0x68, 1,
		0,    0,    0,    0xe9, 0xd0, 0xff, 0xff, 0xff, /* 1020: jmp *4000 */
	};

	(void)state;
	begin_with_jump_slots();
	add_code(".plt", 0x1000, plt, sizeof(plt));
	read_plt();
	assert_int_equal(collected.count, 3);
	assert_symbol(0, "1010+10 exit@plt");
	assert_symbol(1, "1020+10 puts@plt");
	assert_symbol(2, "1000+10 .plt");
	assert_int_equal(collected.symbols[0].type, STT_FUNC);
}

static void ibt_puts_jumps_into_plt_sec_and_numbers_into_plt(void **state)
{
	static const uint8_t
		plt[] = {
			0xff, 0x35, 0xe2, 0x2f, 0,    0,    0xf2, 0xff, 0x25, 0xe3, 0x2f,
			0,    0,    0x0f, 0x1f, 0,    0xf3, 0x0f, 0x1e, 0xfa, 0x68, 1,
			0,    0,    0,    0xf2, 0xe9, 0xe1, 0xff, 0xff, 0xff, 0x90, /* endbr64; push 1 */
		};
	static const uint8_t plt_sec[] = {
		0xf3, 0x0f, 0x1e, 0xfa, 0xf2, 0xff, 0x25, 0xf5,
		0x1f, 0,    0,    0x0f, 0x1f, 0x44, 0,    0, /* bnd jmp *4000 */
		0xf3, 0x0f, 0x1e, 0xfa, 0xff, 0x25, 0xde, 0x1f,
		0,    0,    0x66, 0x0f, 0x1f, 0x44, 0,    0, /* jmp *3ff8 */
	};

	(void)state;
	begin_with_jump_slots();
	add_code(".plt", 0x1000, plt, sizeof(plt));
	add_code(".plt.sec", 0x2000, plt_sec, sizeof(plt_sec));
	read_plt();
	assert_int_equal(collected.count, 4);
	assert_symbol(0, "1010+10 exit@plt");
	assert_symbol(1, "1000+10 .plt");
	assert_symbol(2, "2000+10 puts@plt");
	assert_symbol(3, "2010+10 exit@plt");
}

static void plt_got_has_entries_of_8_bytes_and_glob_dat_relocations(void **state)
{
	static const uint8_t plt_got[] = {
		0xff, 0x25, 0xf2, 0x2f, 0, 0, 0x66, 0x90, /* 1000: jmp *3ff8 */
		0xff, 0x25, 0xf2, 0x2f, 0, 0, 0x66, 0x90, /* 1008: jmp *4000 */
	};
	static const struct relocation relocations[] = {
		{ 0x3f00, 0, R_X86_64_RELATIVE, 0x1234 },
		{ 0x3ff8, 1, R_X86_64_GLOB_DAT, 0 },
		{ 0x4000, 2, R_X86_64_GLOB_DAT, 0 },
	};

	(void)state;
	begin_with_imports(EM_X86_64, ".rela.dyn", relocations, 3);
	add_code(".plt.got", 0x1000, plt_got, sizeof(plt_got));
	read_plt();
	assert_int_equal(collected.count, 2);
	assert_symbol(0, "1000+8 puts@plt");
	assert_symbol(1, "1008+8 exit@plt");
}

/* Reads with .rela.dyn at 0x2000; the dynamic section says how many of its relocations are relative. */
static void read_plt_with_relative_count(const struct relocation *relocations, size_t count,
					 uint64_t relative_count)
{
	static const uint8_t plt_got[] = {
		0xff, 0x25, 0xf2, 0x2f, 0, 0, 0x66, 0x90, /* 1000: jmp *3ff8 */
		0xff, 0x25, 0xf2, 0x2f, 0, 0, 0x66, 0x90, /* 1008: jmp *4000 */
	};
	const uint64_t dynamic[] = { DT_RELA, 0x2000, DT_RELACOUNT, relative_count, DT_NULL, 0 };

	begin_with_imports(EM_X86_64, ".rela.dyn", relocations, count);
	builder.sections[builder.section_count - 1].vaddr = 0x2000;
	elf_builder_section(&builder, ".dynamic", SHT_DYNAMIC, SHF_ALLOC, 0x3000, dynamic, sizeof(dynamic));
	add_code(".plt.got", 0x1000, plt_got, sizeof(plt_got));
	read_plt();
	close_file(NULL);
}

static void relative_relocations_that_are_counted_need_no_look(void **state)
{
	static const struct relocation relocations[] = {
		{ 0x3f00, 0, R_X86_64_RELATIVE, 0x1234 },
		{ 0x3ff8, 1, R_X86_64_GLOB_DAT, 0 },
		{ 0x3f08, 0, R_X86_64_RELATIVE, 0x1234 },
		{ 0x4000, 2, R_X86_64_GLOB_DAT, 0 },
	};

	(void)state;
	read_plt_with_relative_count(relocations, 4, 1);
	assert_int_equal(collected.count, 2);
	read_plt_with_relative_count(relocations, 4, 3); /* the second is not relative, but skipped */
	assert_int_equal(collected.count, 1);
}

static void a_count_of_relative_relocations_that_cannot_be_is_not_believed(void **state)
{
	static const struct relocation relocations[] = {
		{ 0x3ff8, 1, R_X86_64_GLOB_DAT, 0 },
		{ 0x3f00, 0, R_X86_64_RELATIVE, 0x1234 },
		{ 0x4000, 2, R_X86_64_GLOB_DAT, 0 },
	};
	static const uint64_t counts[] = { 1, 2, 3, 4, UINT64_MAX };

	(void)state;
	for (size_t i = 0; i < sizeof(counts) / sizeof(*counts); i++) {
		read_plt_with_relative_count(relocations, 3, counts[i]);
		assert_int_equal(collected.count, 2);
	}
	read_plt_with_relative_count(relocations + 1, 2, 2);
	assert_int_equal(collected.count, 1);
}

static void slots_of_indirect_functions_are_named_by_their_resolvers(void **state)
{
	static const uint8_t plt[] = {
		0xff, 0x25, 0xf2, 0x2f, 0, 0, 0x66, 0x90, 0xff, 0x25, 0xf2, 0x2f, 0, 0, 0x66, 0x90,
	};
	static const struct relocation relocations[] = {
		{ 0x3ff8, 0, R_X86_64_IRELATIVE, 0x5000 },
		{ 0x4000, 0, R_X86_64_IRELATIVE, 0x6000 },
	};
	static const struct elf_builder_symbol functions[] = {
		{ "strlen_resolver", 0x5000, 8, ELF64_ST_INFO(STB_LOCAL, STT_FUNC), 0, 1 },
		{ "strlen", 0x5000, 8, ELF64_ST_INFO(STB_GLOBAL, STT_GNU_IFUNC), 0, 1 },
	};

	(void)state;
	elf_builder_init(&builder, true, false, ET_EXEC, EM_X86_64);
	add_code(".plt", 0x1000, plt, sizeof(plt));
	add_relocations(&builder, ".rela.plt", 0, relocations, 2);
	elf_builder_symbols(&builder, SHT_SYMTAB, functions, 2);
	read_plt();
	assert_int_equal(collected.count, 2);
	assert_symbol(0, "1000+8 strlen@plt");
	assert_symbol(1, "1008+8 *ABS*+0x6000@plt");
}

static void aarch64_entries_are_read_with_and_without_bti(void **state)
{
	static const uint32_t code[] = {
		0xa9bf7bf0, 0xf0000110, 0xf947fe11, 0x913fe210, /* header: stp; adrp x16; ldr x17; add */
		0xd61f0220, 0xd503201f, 0xd503201f, 0xd503201f, /* br x17; nop; nop; nop */
		0xd0000110, 0xf9400211, 0x91000210, 0xd61f0220, /* 1020: slot 23000 */
		0xd503245f, 0xd0000110, 0xf9400611, 0x91002210, /* 1030: bti c; slot 23008 */
		0xd61f0220, 0xd503201f,
	};
	static const struct relocation relocations[] = {
		{ 0x23000, 1, R_AARCH64_JUMP_SLOT, 0 },
		{ 0x23008, 2, R_AARCH64_JUMP_SLOT, 0 },
	};
	struct strbuf plt;

	(void)state;
	strbuf_init(&plt);
	for (size_t i = 0; i < sizeof(code) / sizeof(code[0]); i++)
		strbuf_add_u32(&plt, code[i], __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__);
	begin_with_imports(EM_AARCH64, ".rela.plt", relocations, 2);
	add_code(".plt", 0x1000, plt.bytes, plt.size);
	read_plt();
	assert_int_equal(collected.count, 3);
	assert_symbol(0, "1020+10 puts@plt");
	assert_symbol(1, "1030+18 exit@plt");
	assert_symbol(2, "1000+20 .plt");
	strbuf_fini(&plt);
}

/* Relocations of 32-bit files have no addend. Slot 4000 is that of puts, 3ff8 of exit. */
static void begin_with_jump_slots_of_i386(void)
{
	static const uint32_t relocations[] = {
		0x4000,
		1 << 8 | R_386_JMP_SLOT,
		0x3ff8,
		2 << 8 | R_386_JMP_SLOT,
	};
	static const uint32_t dynamic[] = { DT_PLTGOT, 0x3fec, DT_NULL, 0 };
	uint32_t symbols, section;

	elf_builder_init(&builder, false, false, ET_DYN, EM_386);
	symbols = elf_builder_symbols(&builder, SHT_DYNSYM, imports, 2);
	section = elf_builder_section(&builder, ".rel.plt", SHT_REL, SHF_ALLOC, 0, relocations,
				      sizeof(relocations));
	builder.sections[section].link = symbols;
	elf_builder_section(&builder, ".dynamic", SHT_DYNAMIC, SHF_ALLOC, 0, dynamic, sizeof(dynamic));
}

static void i386_entries_jump_through_a_slot_at_an_address(void **state)
{
	static const uint8_t plt[] = {
		0xff, 0x35, 0xf0, 0x3f, 0,    0,    0xff, 0x25,
		0xf4, 0x3f, 0,    0,    0,    0,    0,    0, /* 1000: push; jmp */
		0xff, 0x25, 0xf8, 0x3f, 0,    0,    0x68, 0,
		0,    0,    0,    0xe9, 0xe0, 0xff, 0xff, 0xff, /* 1010: jmp *3ff8 */
	};
	static const uint8_t got[] = { 0xff, 0x25, 0x00, 0x40, 0, 0, 0x66, 0x90 }; /* 1020: jmp *4000 */

	(void)state;
	begin_with_jump_slots_of_i386();
	add_code(".plt", 0x1000, plt, sizeof(plt));
	add_code(".plt.got", 0x1020, got, sizeof(got));
	read_plt();
	assert_int_equal(collected.count, 3);
	assert_symbol(0, "1010+10 exit@plt");
	assert_symbol(1, "1000+10 .plt");
	assert_symbol(2, "1020+8 puts@plt");
}

static void i386_entries_of_position_independent_code_count_from_the_got(void **state)
{
	static const uint8_t plt[] = {
		0xff, 0xb3, 4,  0,    0,    0,    0xff, 0xa3,
		8,    0,    0,  0,    0,    0,    0,    0, /* 1000: push; jmp */
		0xff, 0xa3, 12, 0,    0,    0,    0x68, 0,
		0,    0,    0,  0xe9, 0xe0, 0xff, 0xff, 0xff, /* 1010: jmp *12(%ebx) */
		0xff, 0xa3, 20, 0,    0,    0,    0x66, 0x90, /* 1020: jmp *20(%ebx) */
	};

	(void)state;
	begin_with_jump_slots_of_i386();
	add_code(".plt", 0x1000, plt, sizeof(plt));
	read_plt();
	assert_int_equal(collected.count, 3);
	assert_symbol(0, "1010+10 exit@plt");
	assert_symbol(1, "1020+8 puts@plt");
	assert_symbol(2, "1000+10 .plt");
}

static void i386_ibt_puts_jumps_into_plt_sec_and_places_of_relocations_into_plt(void **state)
{
	static const uint8_t plt[] = {
		0xf3, 0x0f, 0x1e, 0xfb, 0x68, 8, 0, 0, 0, 0xe9, 0xe2, 0xff, 0xff, 0xff, 0x66, 0x90,
	};
	static const uint8_t sec[] = {
		0xf3, 0x0f, 0x1e, 0xfb, 0xff, 0xa3, 20, 0, 0, 0, 0x66, 0x0f, 0x1f, 0x44, 0, 0,
	};

	(void)state;
	begin_with_jump_slots_of_i386();
	add_code(".plt", 0x1000, plt, sizeof(plt));
	add_code(".plt.sec", 0x1010, sec, sizeof(sec));
	read_plt();
	assert_int_equal(collected.count, 2);
	assert_symbol(0, "1000+10 exit@plt");
	assert_symbol(1, "1010+10 puts@plt");
}

static void file_without_plt_and_other_machines_have_none(void **state)
{
	static const uint16_t list[] = { EM_X86_64, EM_S390 };

	(void)state;
	for (size_t i = 0; i < 2; i++) {
		elf_builder_init(&builder, true, false, ET_DYN, list[i]);
		if (list[i] == EM_S390)
			add_code(".plt", 0, "x", 1);
		file = elf_builder_open(&builder, "built");
		assert_int_equal(elf_plt_read(file, collected_symbols_add, NULL, NULL), 0);
		close_file(NULL);
	}
}

#define TEST(name) cmocka_unit_test_teardown(name, close_file)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(lazy_x86_64_table_has_a_header_and_entries_of_16_bytes),
		TEST(ibt_puts_jumps_into_plt_sec_and_numbers_into_plt),
		TEST(plt_got_has_entries_of_8_bytes_and_glob_dat_relocations),
		TEST(relative_relocations_that_are_counted_need_no_look),
		TEST(a_count_of_relative_relocations_that_cannot_be_is_not_believed),
		TEST(slots_of_indirect_functions_are_named_by_their_resolvers),
		TEST(aarch64_entries_are_read_with_and_without_bti),
		TEST(i386_entries_jump_through_a_slot_at_an_address),
		TEST(i386_entries_of_position_independent_code_count_from_the_got),
		TEST(i386_ibt_puts_jumps_into_plt_sec_and_places_of_relocations_into_plt),
		TEST(file_without_plt_and_other_machines_have_none),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
