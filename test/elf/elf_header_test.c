#include "elf/elf_header.h"

#include <elf.h>
#include <stdlib.h>
#include <string.h>

#include "support/cmocka.h"
#include "support/elf_builder.h"

static void header_reads_the_same_in_every_class_and_byte_order(void **state)
{
	(void)state;
	for (int variant = 0; variant < 4; variant++) {
		struct elf_builder builder;
		struct elf_header header;
		size_t size;
		uint8_t *bytes;

		elf_builder_init(&builder, variant & 1, variant & 2, ET_EXEC, EM_AARCH64);
		elf_builder_section(&builder, ".text", SHT_PROGBITS, SHF_ALLOC, 0x1000, "\x90", 1);
		elf_builder_segment(&builder, PT_LOAD, PF_X, 0x40, 0x1000, 1, 4096);
		bytes = elf_builder_finish(&builder, &size);
		assert_int_equal(elf_header_decode(&header, bytes, size, "t", NULL), 0);
		assert_int_equal(header.is_64bit, variant & 1);
		assert_int_equal(header.swap, variant >> 1);
		assert_int_equal(header.type, ET_EXEC);
		assert_int_equal(header.machine, EM_AARCH64);
		assert_int_equal(header.segment_count, 1);
		assert_int_equal(header.section_count, 3);
		assert_int_equal(header.section_names, 2);
		free(bytes);
		elf_builder_fini(&builder);
	}
}

static void header_that_is_cut_off_is_refused_at_every_length(void **state)
{
	struct elf_builder builder;
	struct elf_header header;
	struct error err;
	size_t size;
	uint8_t *bytes;

	(void)state;
	elf_builder_init(&builder, true, false, ET_EXEC, EM_X86_64);
	bytes = elf_builder_finish(&builder, &size);
	for (size_t cut = 0; cut < sizeof(Elf64_Ehdr); cut++)
		assert_int_equal(elf_header_decode(&header, bytes, cut, "t", &err), -1);
	assert_string_equal(err.message, "t: cut off inside of its ELF header");
	free(bytes);
	elf_builder_fini(&builder);
}

static void unknown_class_and_byte_order_are_refused(void **state)
{
	uint8_t bytes[64] = { 0x7f, 'E', 'L', 'F', 3, ELFDATA2LSB };
	struct elf_header header;
	struct error err;

	(void)state;
	assert_int_equal(elf_header_decode(&header, bytes, sizeof(bytes), "t", &err), -1);
	assert_string_equal(err.message, "t: unknown ELF class 3");
	bytes[EI_CLASS] = ELFCLASS64;
	bytes[EI_DATA] = 0;
	assert_int_equal(elf_header_decode(&header, bytes, sizeof(bytes), "t", &err), -1);
	assert_string_equal(err.message, "t: unknown ELF byte order 0");
}

static void tables_with_entries_too_small_are_taken_for_empty(void **state)
{
	Elf64_Ehdr raw = { .e_phnum = 5, .e_phentsize = 8, .e_shnum = 5, .e_shentsize = 8, .e_shoff = 64 };
	struct elf_header header;

	(void)state;
	memcpy(raw.e_ident, ELFMAG, SELFMAG);
	raw.e_ident[EI_CLASS] = ELFCLASS64;
	raw.e_ident[EI_DATA] = __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ ? ELFDATA2LSB : ELFDATA2MSB;
	assert_int_equal(elf_header_decode(&header, &raw, sizeof(raw), "t", NULL), 0);
	assert_int_equal(header.segment_count, 0);
	assert_int_equal(header.section_count, 0);
	assert_int_equal(header.section_offset, 0);
}

static void counts_beyond_16_bits_come_from_section_0(void **state)
{
	struct elf_header header = { .segment_count = PN_XNUM,
				     .section_count = 0,
				     .section_names = SHN_XINDEX };
	struct elf_section_header section_0 = { .size = 70000, .link = 69999, .info = 80000 };

	(void)state;
	elf_header_extend(&header, &section_0);
	assert_int_equal(header.section_count, 70000);
	assert_int_equal(header.section_names, 69999);
	assert_int_equal(header.segment_count, 80000);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(header_reads_the_same_in_every_class_and_byte_order),
		cmocka_unit_test(header_that_is_cut_off_is_refused_at_every_length),
		cmocka_unit_test(unknown_class_and_byte_order_are_refused),
		cmocka_unit_test(tables_with_entries_too_small_are_taken_for_empty),
		cmocka_unit_test(counts_beyond_16_bits_come_from_section_0),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
