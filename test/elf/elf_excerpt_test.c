#include "elf/elf_excerpt.h"

#include <elf.h>

#include "support/cmocka.h"
#include "support/collected_symbols.h"
#include "support/elf_builder.h"
#include "support/elf_copy.h"

enum { TEXT = 0x10000, TEXT_BYTES = 0x4000 };

static const uint8_t id[4] = { 1, 2, 3, 4 };
static uint8_t text[TEXT_BYTES];
static uint64_t text_offset;
static struct elf_file *file, *read;
static struct elf_excerpt *excerpt;
static struct elf_excerpt_image image;
static struct error err;

static void begin(bool is_64bit, bool swap)
{
	struct elf_builder builder;
	uint32_t section;

	for (size_t i = 0; i < sizeof(text); i++)
		text[i] = (uint8_t)(i / 512 + 1);
	elf_builder_init(&builder, is_64bit, swap, ET_DYN, is_64bit ? EM_X86_64 : EM_386);
	elf_builder_build_id(&builder, id, sizeof(id));
	section = elf_builder_section(&builder, ".text", SHT_PROGBITS, SHF_ALLOC | SHF_EXECINSTR, TEXT, text,
				      sizeof(text));
	text_offset = builder.sections[section].file_offset;
	elf_builder_code_segment(&builder, section);
	elf_builder_section(&builder, ".debug_info", SHT_PROGBITS, 0, 0, text, sizeof(text));
	file = elf_builder_open(&builder, "built");
	excerpt = elf_excerpt_create(file);
}

static void finish(void)
{
	assert_int_equal(elf_excerpt_finish(excerpt, &image, &err), 0);
	read = elf_copy_open(image.bytes, image.size, "excerpt", &err);
	assert_non_null(read);
}

static int tear_down(void **state)
{
	(void)state;
	elf_file_close(read);
	elf_excerpt_destroy(excerpt);
	elf_file_close(file);
	file = read = NULL;
	excerpt = NULL;
	return 0;
}

static bool is_in_range(uint64_t offset)
{
	for (size_t i = 0; i < image.range_count; i++)
		if (offset >= image.ranges[i].offset &&
		    offset - image.ranges[i].offset < image.ranges[i].size)
			return true;
	return false;
}

static void it_says_that_it_is_an_excerpt_and_of_which_file(void **state)
{
	(void)state;
	begin(true, false);
	finish();
	assert_false(elf_excerpt_is(file));
	assert_true(elf_excerpt_is(read));
	assert_int_equal(elf_file_build_id(read)->size, sizeof(id));
	assert_memory_equal(elf_file_build_id(read)->bytes, id, sizeof(id));
}

static void what_is_kept_lies_where_it_lay_and_the_rest_are_holes(void **state)
{
	struct elf_section section;
	uint64_t vaddr, offset = text_offset;

	(void)state;
	begin(true, false);
	offset = text_offset;
	elf_excerpt_keep_vaddr(excerpt, TEXT + 0x2000, 4);
	finish();
	assert_int_equal(elf_file_offset_to_vaddr(read, offset + 0x2000, &vaddr), 0);
	assert_int_equal(vaddr, TEXT + 0x2000);
	assert_memory_equal(image.bytes + offset + 0x2000, text + 0x2000, 4);
	assert_true(is_in_range(offset + 0x2000));
	assert_false(is_in_range(offset + 0x3000));
	assert_int_equal(image.bytes[offset + 0x3000], 0);
	assert_int_equal(elf_file_section(read, ".text", &section, &err), 1);
	assert_int_equal(section.vaddr, TEXT);
	assert_int_equal(section.file_offset, offset);
	assert_int_equal(elf_file_section(read, ".debug_info", &section, &err), 0);
}

static void ranges_are_blocks_one_behind_the_other(void **state)
{
	(void)state;
	begin(true, false);
	elf_excerpt_keep(excerpt, text_offset, 1);
	elf_excerpt_keep(excerpt, text_offset + 0x1000, 0x800);
	elf_excerpt_keep(excerpt, UINT64_MAX - 10, 100);
	elf_excerpt_keep(excerpt, text_offset + TEXT_BYTES - 1, UINT64_MAX);
	finish();
	for (size_t i = 0; i < image.range_count; i++) {
		assert_int_equal(image.ranges[i].offset % ELF_EXCERPT_BLOCK_BYTES, 0);
		if (i + 1 < image.range_count) {
			assert_int_equal(image.ranges[i].size % ELF_EXCERPT_BLOCK_BYTES, 0);
			assert_true(image.ranges[i].offset + image.ranges[i].size <
				    image.ranges[i + 1].offset);
		}
	}
	assert_int_equal(image.ranges[image.range_count - 1].offset +
				 image.ranges[image.range_count - 1].size,
			 image.size);
}

static void bytes_can_be_put_and_cleared(void **state)
{
	(void)state;
	begin(true, false);
	elf_excerpt_put(excerpt, text_offset + 0x1000, "new", 3);
	elf_excerpt_clear(excerpt, text_offset + 0x1003, 0x1000);
	elf_excerpt_clear(excerpt, text_offset + 0x3000, UINT64_MAX);
	finish();
	assert_memory_equal(image.bytes + text_offset + 0x1000, "new\0\0", 5);
	assert_false(is_in_range(text_offset + 0x3000));
}

static void assert_symbol(const struct elf_symbol *symbol, const char *name, uint64_t vaddr, uint8_t binding)
{
	assert_string_equal(symbol->name, name);
	assert_int_equal(symbol->vaddr, vaddr);
	assert_int_equal(symbol->size_bytes, 8);
	assert_int_equal(symbol->binding, binding);
}

/* Local symbols come first, as the table requires; otherwise in the order of addition. */
static void symbols_are_functions_in_both_classes_and_orders(void **state)
{
	(void)state;
	for (int kind = 0; kind < 4; kind++) {
		struct collected_symbols found = { .count = 0 };

		begin(kind & 1, kind & 2);
		elf_excerpt_add_symbol(excerpt, "global", TEXT, 8, STB_GLOBAL);
		elf_excerpt_add_symbol(excerpt, "f@plt", TEXT + 16, 8, STB_LOCAL);
		elf_excerpt_add_symbol(excerpt, "weak", TEXT, 8, STB_WEAK);
		finish();
		assert_int_equal(
			elf_symtab_read(read, ELF_SYMTAB_FULL, NULL, collected_symbols_add, &found, &err), 1);
		assert_int_equal(found.count, 3);
		assert_symbol(&found.symbols[0], "f@plt", TEXT + 16, STB_LOCAL);
		assert_symbol(&found.symbols[1], "global", TEXT, STB_GLOBAL);
		assert_symbol(&found.symbols[2], "weak", TEXT, STB_WEAK);
		tear_down(NULL);
	}
}

static void sections_come_behind_everything(void **state)
{
	struct elf_section section;

	(void)state;
	begin(true, true);
	elf_excerpt_add_section(excerpt, ".debug_frame", "frames", 6);
	finish();
	assert_int_equal(elf_file_section(read, ".debug_frame", &section, &err), 1);
	assert_int_equal(section.size, 6);
	assert_memory_equal(section.bytes, "frames", 6);
	assert_true(section.file_offset >= text_offset + TEXT_BYTES);
}

/* A symbol must be in a section, or readers drop it. */
static void a_file_without_sections_has_one_for_its_code(void **state)
{
	struct collected_symbols found = { .count = 0 };
	struct elf_builder builder;
	uint32_t section;

	(void)state;
	elf_builder_init(&builder, true, false, ET_DYN, EM_X86_64);
	section = elf_builder_section(&builder, ".text", SHT_PROGBITS, 0, TEXT, text, sizeof(text));
	elf_builder_code_segment(&builder, section);
	file = elf_builder_open(&builder, "built");
	excerpt = elf_excerpt_create(file);
	elf_excerpt_add_symbol(excerpt, "f", TEXT, 8, STB_GLOBAL);
	finish();
	assert_int_equal(elf_symtab_read(read, ELF_SYMTAB_FULL, NULL, collected_symbols_add, &found, &err),
			 1);
	assert_int_equal(found.count, 1);
	assert_symbol(&found.symbols[0], "f", TEXT, STB_GLOBAL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_teardown(it_says_that_it_is_an_excerpt_and_of_which_file, tear_down),
		cmocka_unit_test_teardown(what_is_kept_lies_where_it_lay_and_the_rest_are_holes, tear_down),
		cmocka_unit_test_teardown(ranges_are_blocks_one_behind_the_other, tear_down),
		cmocka_unit_test_teardown(bytes_can_be_put_and_cleared, tear_down),
		cmocka_unit_test_teardown(symbols_are_functions_in_both_classes_and_orders, tear_down),
		cmocka_unit_test_teardown(sections_come_behind_everything, tear_down),
		cmocka_unit_test_teardown(a_file_without_sections_has_one_for_its_code, tear_down),
	};

	return cmocka_run_group_tests_name("elf/elf_excerpt", tests, NULL, NULL);
}
