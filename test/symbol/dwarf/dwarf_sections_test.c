#include "symbol/dwarf/dwarf_sections.h"

#include <elf.h>
#include <string.h>
#include <zlib.h>

#include "support/cmocka.h"
#include "support/elf_builder.h"

static void add(struct elf_builder *builder, const char *name, const char *bytes, size_t size)
{
	elf_builder_section(builder, name, SHT_PROGBITS, 0, 0, bytes, size);
}

static void assert_bytes(const struct dwarf_section *section, const char *expected, size_t size)
{
	assert_int_equal(section->size, size);
	assert_non_null(section->bytes);
	assert_memory_equal(section->bytes, expected, size);
}

static void assert_missing(const struct dwarf_section *section)
{
	assert_null(section->bytes);
	assert_int_equal(section->size, 0);
}

static void names_are_a_string_table(void **state)
{
	static const char *const expected[] = { ".debug_info",     ".debug_abbrev",
						".debug_line",     ".debug_str",
						".debug_line_str", ".debug_str_offsets",
						".debug_addr",     ".debug_ranges",
						".debug_rnglists", "" /* end of the table */ };
	const char *table = dwarf_section_names[0];

	(void)state;
	assert_int_equal(sizeof(expected) / sizeof(expected[0]), DWARF_SECTION_COUNT + 1);
	for (size_t id = 0; id <= DWARF_SECTION_COUNT; id++)
		assert_string_equal(table + id * sizeof(dwarf_section_names[0]), expected[id]);
	assert_int_equal(table[sizeof(dwarf_section_names) - 1], '\0');
}

static void sections_are_found_by_name_in_every_class_and_byte_order(void **state)
{
	(void)state;
	for (int variant = 0; variant < 4; variant++) {
		struct error err = { .errno_value = 0 };
		struct dwarf_sections sections;
		struct elf_builder builder;
		struct elf_file *elf;

		elf_builder_init(&builder, variant & 1, variant & 2, ET_DYN, EM_X86_64);
		add(&builder, ".debug_line", "lines", 5);
		add(&builder, ".debug_loc", "places", 6);
		add(&builder, ".debug_info", "entries", 7);
		elf = elf_builder_open(&builder, "built");
		dwarf_sections_of(&sections, elf, "", &err);
		assert_string_equal(err.message, "");
		assert_int_equal(sections.is_64bit, variant & 1);
		assert_int_equal(sections.swap, (variant & 2) != 0);
		for (int id = 0; id < DWARF_SECTION_COUNT; id++)
			if (id != DWARF_INFO && id != DWARF_LINE)
				assert_missing(&sections.at[id]);
		assert_bytes(&sections.at[DWARF_INFO], "entries", 7);
		assert_bytes(&sections.at[DWARF_LINE], "lines", 5);
		elf_file_close(elf);
	}
}

static void a_suffix_asks_for_split_debug_information(void **state)
{
	struct dwarf_sections whole, split;
	struct elf_builder builder;
	struct elf_file *elf;

	(void)state;
	elf_builder_init(&builder, true, false, ET_REL, EM_X86_64);
	add(&builder, ".debug_info", "skeleton", 8);
	add(&builder, ".debug_addr", "addresses", 9);
	add(&builder, ".debug_info.dwo", "rest", 4);
	elf = elf_builder_open(&builder, "built");
	dwarf_sections_of(&whole, elf, "", NULL);
	dwarf_sections_of(&split, elf, ".dwo", NULL);
	assert_bytes(&whole.at[DWARF_INFO], "skeleton", 8);
	assert_bytes(&whole.at[DWARF_ADDR], "addresses", 9);
	assert_bytes(&split.at[DWARF_INFO], "rest", 4);
	assert_missing(&split.at[DWARF_ADDR]);
	elf_file_close(elf);
}

static void texts_end_with_the_last_one_that_does(void **state)
{
	struct dwarf_sections sections;
	struct elf_builder builder;
	struct elf_file *elf;

	(void)state;
	elf_builder_init(&builder, true, false, ET_DYN, EM_X86_64);
	add(&builder, ".debug_str", "one\0two\0thr", 11);
	add(&builder, ".debug_line_str", "endless", 7);
	add(&builder, ".debug_info", "one\0two\0thr", 11);
	elf = elf_builder_open(&builder, "built");
	dwarf_sections_of(&sections, elf, "", NULL);
	assert_bytes(&sections.at[DWARF_STR], "one\0two", 8);
	assert_int_equal(sections.at[DWARF_LINE_STR].size, 0);
	assert_bytes(&sections.at[DWARF_INFO], "one\0two\0thr", 11);
	elf_file_close(elf);
}

static void a_section_that_is_cut_off_is_missing_and_named(void **state)
{
	struct error err = { .errno_value = 0 };
	struct dwarf_sections sections;
	struct elf_builder builder;
	struct elf_file *elf;
	uint32_t cut;

	(void)state;
	elf_builder_init(&builder, true, false, ET_DYN, EM_X86_64);
	add(&builder, ".debug_info", "entries", 7);
	cut = elf_builder_section(&builder, ".debug_line", SHT_PROGBITS, 0, 0, "lines", 5);
	builder.sections[cut].size = 1 << 20;
	elf = elf_builder_open(&builder, "built");
	dwarf_sections_of(&sections, elf, "", &err);
	assert_missing(&sections.at[DWARF_LINE]);
	assert_bytes(&sections.at[DWARF_INFO], "entries", 7);
	assert_string_equal(
		err.message,
		"built: section .debug_line lies outside of the file: it is damaged or cut short");
	elf_file_close(elf);
}

/* As objcopy(1) leaves a section in a stripped file. */
static void a_section_without_contents_is_missing_and_no_error(void **state)
{
	struct error err = { .errno_value = 0 };
	struct dwarf_sections sections;
	struct elf_builder builder;
	struct elf_file *elf;

	(void)state;
	elf_builder_init(&builder, true, false, ET_DYN, EM_X86_64);
	elf_builder_section(&builder, ".debug_info", SHT_NOBITS, 0, 0, NULL, 100);
	elf = elf_builder_open(&builder, "built");
	dwarf_sections_of(&sections, elf, "", &err);
	assert_missing(&sections.at[DWARF_INFO]);
	assert_string_equal(err.message, "");
	elf_file_close(elf);
}

/* Opens a file whose .debug_info is "entries", compressed by this method. */
static struct elf_file *open_compressed(uint32_t way)
{
	const Elf64_Chdr header = { .ch_type = way, .ch_size = 7, .ch_addralign = 1 };
	uint8_t bytes[sizeof(header) + 64];
	uLongf size = sizeof(bytes) - sizeof(header);
	struct elf_builder builder;

	memcpy(bytes, &header, sizeof(header));
	assert_int_equal(compress(bytes + sizeof(header), &size, (const Bytef *)"entries", 7), Z_OK);
	elf_builder_init(&builder, true, false, ET_DYN, EM_X86_64);
	elf_builder_section(&builder, ".debug_info", SHT_PROGBITS, SHF_COMPRESSED, 0, bytes,
			    sizeof(header) + size);
	add(&builder, ".debug_line", "lines", 5);
	return elf_builder_open(&builder, "built");
}

static void compressed_sections_are_decompressed(void **state)
{
	struct error err = { .errno_value = 0 };
	struct elf_file *elf = open_compressed(ELFCOMPRESS_ZLIB);
	struct dwarf_sections sections;

	(void)state;
	dwarf_sections_of(&sections, elf, "", &err);
	assert_bytes(&sections.at[DWARF_INFO], "entries", 7);
	assert_bytes(&sections.at[DWARF_LINE], "lines", 5);
	assert_string_equal(err.message, "");
	elf_file_close(elf);
}

static void what_cannot_be_decompressed_is_missing_and_named(void **state)
{
	struct error err = { .errno_value = 0 };
	struct elf_file *elf = open_compressed(77);
	struct dwarf_sections sections;

	(void)state;
	dwarf_sections_of(&sections, elf, "", &err);
	assert_missing(&sections.at[DWARF_INFO]);
	assert_bytes(&sections.at[DWARF_LINE], "lines", 5);
	assert_string_equal(err.message,
			    "built: section .debug_info: section has unknown compression type 77");
	elf_file_close(elf);
}

static void texts_that_do_not_end_in_their_section_are_told_apart(void **state)
{
	static const char bytes[] = { 'a', 'b', '\0', 'c', 'd', '\0' };
	const struct dwarf_sections sections = {
		.at = { [DWARF_INFO] = { (const uint8_t *)bytes, 5 } },
	};

	(void)state;
	assert_true(dwarf_sections_hold_text(&sections, bytes));
	assert_true(dwarf_sections_hold_text(&sections, bytes + 2));
	assert_false(dwarf_sections_hold_text(&sections, bytes + 3));
	assert_false(dwarf_sections_hold_text(&sections, bytes + 4));
	assert_false(dwarf_sections_hold_text(
		&sections, bytes + 5)); /* at the end of the section: nothing is left of it */
	assert_true(dwarf_sections_hold_text(&sections, "elsewhere"));
}

static void where_a_section_ends_the_next_one_may_begin(void **state)
{
	static const char bytes[] = { 'a', '\0', 'b', '\0' };
	const struct dwarf_sections sections = {
		.at = { [DWARF_INFO] = { (const uint8_t *)bytes, 2 },
			[DWARF_STR] = { (const uint8_t *)bytes + 2, 2 } },
	};

	(void)state;
	assert_true(dwarf_sections_hold_text(&sections, bytes + 2));
	assert_false(dwarf_sections_hold_text(&sections, bytes + 4));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(names_are_a_string_table),
		cmocka_unit_test(sections_are_found_by_name_in_every_class_and_byte_order),
		cmocka_unit_test(a_suffix_asks_for_split_debug_information),
		cmocka_unit_test(texts_end_with_the_last_one_that_does),
		cmocka_unit_test(a_section_that_is_cut_off_is_missing_and_named),
		cmocka_unit_test(a_section_without_contents_is_missing_and_no_error),
		cmocka_unit_test(compressed_sections_are_decompressed),
		cmocka_unit_test(what_cannot_be_decompressed_is_missing_and_named),
		cmocka_unit_test(texts_that_do_not_end_in_their_section_are_told_apart),
		cmocka_unit_test(where_a_section_ends_the_next_one_may_begin),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
