#include "symbol/dwarf/dwarf_file.h"

#include <dwarf.h>
#include <elf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"
#include "support/cmocka.h"
#include "support/dwarf_builder.h"
#include "support/dwarf_bytes.h"

static const char *const no_dirs[] = { NULL };
static const struct debug_file_search nowhere = { .symfs = "/proc/nonexistent", .debug_dirs = no_dirs };

/* --- units ------------------------------------------------------------------------------------------- */

/* Kinds of first entries: numbers of their abbreviations. COMPILED is the first in the table. */
enum kind { COMPILED = 1, PARTIAL, WITHOUT_CODE, GNU_SKELETON, SKELETON };

struct fixture {
	struct dwarf_bytes info, abbrev;
	struct elf_file *elf;
	struct dwarf_file *file;
};

static void make_abbrevs(struct dwarf_bytes *abbrev)
{
	static const struct dwarf_attribute compiled[] = { { DW_AT_name, DW_FORM_string },
							   { DW_AT_comp_dir, DW_FORM_string },
							   { DW_AT_low_pc, DW_FORM_addr },
							   { DW_AT_high_pc, DW_FORM_data4 } };
	static const struct dwarf_attribute gnu_skeleton[] = { { DW_AT_comp_dir, DW_FORM_string },
							       { DW_AT_GNU_dwo_name, DW_FORM_string },
							       { DW_AT_GNU_dwo_id, DW_FORM_data8 },
							       { DW_AT_GNU_addr_base, DW_FORM_sec_offset },
							       { DW_AT_GNU_ranges_base, DW_FORM_sec_offset },
							       { DW_AT_low_pc, DW_FORM_addr } };
	static const struct dwarf_attribute skeleton[] = { { DW_AT_comp_dir, DW_FORM_string },
							   { DW_AT_dwo_name, DW_FORM_string },
							   { DW_AT_addr_base, DW_FORM_sec_offset },
							   { DW_AT_low_pc, DW_FORM_addr } };

	dwarf_bytes_abbrev(abbrev, COMPILED, DW_TAG_compile_unit, false, compiled, 4);
	dwarf_bytes_abbrev(abbrev, PARTIAL, DW_TAG_partial_unit, false, compiled, 1);
	dwarf_bytes_abbrev(abbrev, WITHOUT_CODE, DW_TAG_compile_unit, false, compiled, 1);
	dwarf_bytes_abbrev(abbrev, GNU_SKELETON, DW_TAG_compile_unit, false, gnu_skeleton, 6);
	dwarf_bytes_abbrev(abbrev, SKELETON, DW_TAG_skeleton_unit, false, skeleton, 4);
	dwarf_bytes_u8(abbrev, 0);
}

static void begin(struct fixture *fixture, uint8_t version)
{
	*fixture = (struct fixture){ .elf = NULL };
	dwarf_bytes_init(&fixture->info, version, 4, false);
	dwarf_bytes_init(&fixture->abbrev, version, 4, false);
	make_abbrevs(&fixture->abbrev);
}

static void begin_unit(const struct fixture *fixture, struct dwarf_bytes *unit, enum kind kind, uint64_t id)
{
	dwarf_bytes_init(unit, fixture->info.version, fixture->info.offset_size, false);
	dwarf_bytes_unit_header(unit, kind == SKELETON ? DW_UT_skeleton : DW_UT_compile, id);
	dwarf_bytes_u8(unit, kind);
}

/* Returns the size of the unit. */
static size_t end_unit(struct fixture *fixture, struct dwarf_bytes *unit)
{
	size_t size;

	dwarf_bytes_prepend_length(unit);
	size = unit->buf.size;
	dwarf_bytes_add(&fixture->info, unit->buf.bytes, size);
	dwarf_bytes_fini(unit);
	return size;
}

static size_t add_compiled(struct fixture *fixture, uint64_t low)
{
	struct dwarf_bytes unit;

	begin_unit(fixture, &unit, COMPILED, 0);
	dwarf_bytes_text(&unit, "unit.c");
	dwarf_bytes_text(&unit, "/build");
	dwarf_bytes_address(&unit, low);
	dwarf_bytes_u32(&unit, 0x10);
	return end_unit(fixture, &unit);
}

static size_t add_named(struct fixture *fixture, enum kind kind)
{
	struct dwarf_bytes unit;

	begin_unit(fixture, &unit, kind, 0);
	dwarf_bytes_text(&unit, "named");
	return end_unit(fixture, &unit);
}

/* Opens the fixture's sections, without the last bytes of .debug_info. */
static void open_fixture(struct fixture *fixture, size_t cut_bytes)
{
	static const uint8_t zeros[32];
	struct error err = { .errno_value = 0 };
	struct elf_builder builder;

	elf_builder_init(&builder, true, false, ET_DYN, EM_X86_64);
	elf_builder_section(&builder, ".debug_info", SHT_PROGBITS, 0, 0, fixture->info.buf.bytes,
			    fixture->info.buf.size - cut_bytes);
	elf_builder_section(&builder, ".debug_abbrev", SHT_PROGBITS, 0, 0, fixture->abbrev.buf.bytes,
			    fixture->abbrev.buf.size);
	elf_builder_section(&builder, ".debug_addr", SHT_PROGBITS, 0, 0, zeros, sizeof(zeros));
	elf_builder_section(&builder, ".debug_ranges", SHT_PROGBITS, 0, 0, zeros, sizeof(zeros));
	fixture->elf = elf_builder_open(&builder, "/build/made");
	fixture->file = dwarf_file_open(fixture->elf, &nowhere, &err);
	assert_non_null(fixture->file);
	assert_string_equal(err.message, "");
	assert_null(dwarf_file_alternate(fixture->file));
}

static void close_fixture(struct fixture *fixture)
{
	dwarf_file_close(fixture->file);
	elf_file_close(fixture->elf);
	dwarf_bytes_fini(&fixture->info);
	dwarf_bytes_fini(&fixture->abbrev);
}

static void assert_range(const struct dwarf_file *file, size_t number, uint64_t low, uint64_t high,
			 uint32_t unit)
{
	size_t count;
	const struct dwarf_unit_range *range = &dwarf_file_ranges(file, &count)[number];

	assert_true(number < count);
	assert_int_equal(range->low, low);
	assert_int_equal(range->high, high);
	assert_int_equal(range->unit, unit);
}

static size_t range_count(const struct dwarf_file *file)
{
	size_t count;

	(void)dwarf_file_ranges(file, &count);
	return count;
}

static struct dwarf_file *open_made(const struct dwarf_recipe *recipe, struct elf_file **elf)
{
	*elf = dwarf_builder_open(recipe);
	assert_non_null(*elf);
	return dwarf_file_open(*elf, &nowhere, NULL);
}

static void a_unit_says_where_it_is_in_every_version_width_and_byte_order(void **state)
{
	(void)state;
	for (uint8_t version = 2; version <= 5; version++) {
		for (int i = 0; i < 4; i++) {
			const struct dwarf_recipe recipe = { .version = version,
							     .offset_size = i & 1 ? 8 : 4,
							     .swap = i & 2 };
			struct elf_file *elf;
			struct dwarf_file *file = open_made(&recipe, &elf);
			const struct dwarf_unit *unit = dwarf_file_unit(file, 0);

			assert_int_equal(dwarf_file_unit_count(file), 1);
			assert_int_equal(unit->entry, (i & 1 ? 23 : 11) + (version >= 5));
			assert_int_equal(unit->size_bytes, dwarf_file_sections(file)->at[DWARF_INFO].size);
			assert_int_equal(unit->low_pc, 0x1000);
			assert_true(unit->says_ranges);
			assert_null(unit->split_name);
			assert_string_equal(unit->directory, "/build");
			assert_int_equal(range_count(file), 1);
			assert_range(file, 0, 0x1000, 0x1010, 0);
			dwarf_file_close(file);
			elf_file_close(elf);
		}
	}
}

static void a_unit_may_not_say_where_its_code_is(void **state)
{
	const struct dwarf_recipe recipe = { .version = 4, .offset_size = 4, .no_unit_ranges = true };
	struct elf_file *elf;
	struct dwarf_file *file = open_made(&recipe, &elf);

	(void)state;
	assert_int_equal(dwarf_file_unit_count(file), 1);
	assert_false(dwarf_file_unit(file, 0)->says_ranges);
	assert_int_equal(dwarf_file_unit(file, 0)->low_pc, 0x1000);
	assert_int_equal(range_count(file), 0);
	dwarf_file_close(file);
	elf_file_close(elf);
}

static void ranges_know_their_unit(void **state)
{
	struct fixture fixture;

	(void)state;
	begin(&fixture, 4);
	(void)add_compiled(&fixture, 0x2000);
	(void)add_compiled(&fixture, 0x1000);
	open_fixture(&fixture, 0);
	assert_int_equal(dwarf_file_unit_count(fixture.file), 2);
	assert_int_equal(range_count(fixture.file), 2);
	assert_range(fixture.file, 0, 0x2000, 0x2010, 0);
	assert_range(fixture.file, 1, 0x1000, 0x1010, 1);
	close_fixture(&fixture);
}

static void units_that_others_import_are_passed_over(void **state)
{
	struct fixture fixture;
	size_t partial_size;

	(void)state;
	begin(&fixture, 4);
	partial_size = add_named(&fixture, PARTIAL);
	(void)add_compiled(&fixture, 0x1000);
	open_fixture(&fixture, 0);
	assert_int_equal(dwarf_file_unit_count(fixture.file), 1);
	assert_int_equal(dwarf_file_unit(fixture.file, 0)->entry, partial_size + 11);
	assert_range(fixture.file, 0, 0x1000, 0x1010, 0);
	close_fixture(&fixture);
}

static void abbreviations_that_have_to_be_searched_are_read_too(void **state)
{
	struct fixture fixture;
	size_t first_size, other_size;

	(void)state;
	begin(&fixture, 4);
	first_size = add_compiled(&fixture, 0x1000);
	other_size = add_named(&fixture, WITHOUT_CODE);
	open_fixture(&fixture, 0);
	assert_int_equal(dwarf_file_unit(fixture.file, 0)->size_bytes, first_size);
	assert_int_equal(dwarf_file_unit(fixture.file, 1)->size_bytes, other_size + fixture.abbrev.buf.size);
	assert_null(dwarf_file_unit(fixture.file, 1)->directory);
	close_fixture(&fixture);
}

/* Makes `count` units whose abbreviation is not the first in its table of 16 MiB, and returns how many of them are listed. */
static size_t list_with_large_table(size_t count)
{
	struct fixture fixture;
	size_t listed;

	begin(&fixture, 4);
	strbuf_add_zeros(&fixture.abbrev.buf, (16 << 20) - fixture.abbrev.buf.size);
	for (size_t i = 0; i < count; i++)
		(void)add_named(&fixture, WITHOUT_CODE);
	open_fixture(&fixture, 0);
	listed = dwarf_file_unit_count(fixture.file);
	close_fixture(&fixture);
	return listed;
}

static void a_large_table_of_abbreviations_is_read_for_some_units(void **state)
{
	(void)state;
	assert_int_equal(list_with_large_table(16), 16);
}

/* Otherwise, a hostile file could make this take as long as it likes. */
static void but_not_for_any_number_of_them(void **state)
{
	(void)state;
	assert_int_equal(list_with_large_table(20), 16);
}

static void assert_skeleton(const struct dwarf_unit *unit)
{
	assert_string_equal(unit->split_name, "unit.dwo");
	assert_string_equal(unit->directory, "/build");
	assert_true(unit->split_id == 0x1122334455667788);
	assert_int_equal(unit->low_pc, 0x1000);
	assert_int_equal(unit->addr_base, 8);
}

static void a_skeleton_names_the_rest_of_it(void **state)
{
	struct fixture fixture;
	struct dwarf_bytes unit;

	(void)state;
	begin(&fixture, 5);
	begin_unit(&fixture, &unit, SKELETON, 0x1122334455667788);
	dwarf_bytes_text(&unit, "/build");
	dwarf_bytes_text(&unit, "unit.dwo");
	dwarf_bytes_offset(&unit, 8);
	dwarf_bytes_address(&unit, 0x1000);
	(void)end_unit(&fixture, &unit);
	open_fixture(&fixture, 0);
	assert_int_equal(dwarf_file_unit_count(fixture.file), 1);
	assert_skeleton(dwarf_file_unit(fixture.file, 0));
	assert_int_equal(dwarf_file_unit(fixture.file, 0)->ranges_base, 0);
	close_fixture(&fixture);
}

static void so_does_one_of_gnus_before_version_5(void **state)
{
	struct fixture fixture;
	struct dwarf_bytes unit;

	(void)state;
	begin(&fixture, 4);
	begin_unit(&fixture, &unit, GNU_SKELETON, 0);
	dwarf_bytes_text(&unit, "/build");
	dwarf_bytes_text(&unit, "unit.dwo");
	dwarf_bytes_u64(&unit, 0x1122334455667788);
	dwarf_bytes_offset(&unit, 8);
	dwarf_bytes_offset(&unit, 16);
	dwarf_bytes_address(&unit, 0x1000);
	(void)end_unit(&fixture, &unit);
	open_fixture(&fixture, 0);
	assert_int_equal(dwarf_file_unit_count(fixture.file), 1);
	assert_skeleton(dwarf_file_unit(fixture.file, 0));
	assert_int_equal(dwarf_file_unit(fixture.file, 0)->ranges_base, 16);
	close_fixture(&fixture);
}

/* Checks what remains of the last unit if `cut_bytes` are missing at its end. */
static void assert_cut(struct fixture *fixture, size_t unit_bytes, size_t cut_bytes)
{
	const bool has_entry = unit_bytes - cut_bytes > 11; /* more than its header is there */
	const bool has_directory = cut_bytes <= 8 + 4;      /* low_pc and high_pc come after it */
	const struct dwarf_unit *unit = dwarf_file_unit(fixture->file, 1);

	assert_int_equal(range_count(fixture->file), 1);
	assert_range(fixture->file, 0, 0x1000, 0x1010, 0);
	assert_int_equal(dwarf_file_unit_count(fixture->file), has_entry ? 2 : 1);
	if (has_entry && has_directory)
		assert_string_equal(unit->directory, "/build");
	else if (has_entry)
		assert_null(unit->directory);
}

static void a_unit_that_is_cut_off_has_no_code(void **state)
{
	struct fixture fixture;
	size_t unit_bytes = SIZE_MAX;

	(void)state;
	for (size_t cut_bytes = 1; cut_bytes < unit_bytes; cut_bytes++) {
		begin(&fixture, 4);
		(void)add_compiled(&fixture, 0x1000);
		unit_bytes = add_compiled(&fixture, 0x2000);
		open_fixture(&fixture, cut_bytes);
		assert_cut(&fixture, unit_bytes, cut_bytes);
		close_fixture(&fixture);
	}
	assert_int_equal(unit_bytes, 38);
}

static void a_unit_whose_abbreviation_is_missing_is_passed_over(void **state)
{
	struct fixture fixture;

	(void)state;
	begin(&fixture, 4);
	(void)add_named(&fixture, 99);
	(void)add_compiled(&fixture, 0x1000);
	open_fixture(&fixture, 0);
	assert_int_equal(dwarf_file_unit_count(fixture.file), 1);
	assert_range(fixture.file, 0, 0x1000, 0x1010, 0);
	close_fixture(&fixture);
}

static void a_file_without_debug_information_has_no_units(void **state)
{
	struct error err = { .errno_value = 0 };
	struct dwarf_handle handle;
	struct elf_builder builder;
	struct dwarf_file *file;
	struct elf_file *elf;

	(void)state;
	elf_builder_init(&builder, true, false, ET_DYN, EM_X86_64);
	elf = elf_builder_open(&builder, "bare");
	file = dwarf_file_open(elf, &nowhere, &err);
	assert_int_equal(dwarf_file_unit_count(file), 0);
	assert_int_equal(range_count(file), 0);
	assert_int_equal(dwarf_file_open_handle(file, &handle), -1);
	assert_string_equal(err.message, "");
	dwarf_file_close(file);
	elf_file_close(elf);
	dwarf_file_close(NULL);
}

/* --- parts that dwz moved to another file ---------------------------------------------------------------- */

static const uint8_t moved_id[] = { 0xab, 0xcd, 0xef }, other_id[] = { 0xab, 0xcd, 0x00 };

/* Writes a file made by dwz, with that build-id. */
static void write_moved(const struct temp_tree *tree, const char *path, const uint8_t id[static 3])
{
	struct elf_builder builder;

	elf_builder_init(&builder, true, false, ET_DYN, EM_X86_64);
	elf_builder_build_id(&builder, id, 3);
	elf_builder_section(&builder, ".debug_str", SHT_PROGBITS, 0, 0, "moved", 6);
	elf_builder_write(&builder, tree, path);
}

/* Opens a file TREE/bin/program whose .gnu_debugaltlink has these bytes. */
static struct elf_file *open_linked(const struct temp_tree *tree, const void *link, size_t size)
{
	char *path = xasprintf("%s/bin/program", tree->root);
	struct elf_builder builder;
	struct elf_file *elf;

	elf_builder_init(&builder, true, false, ET_DYN, EM_X86_64);
	elf_builder_section(&builder, ".gnu_debugaltlink", SHT_PROGBITS, 0, 0, link, size);
	elf = elf_builder_open(&builder, path);
	free(path);
	return elf;
}

/* Opens a file with a link to the path, and with the id of the moved parts. */
static struct elf_file *open_linked_to(const struct temp_tree *tree, const char *path)
{
	struct strbuf link;
	struct elf_file *elf;

	strbuf_init(&link);
	strbuf_add(&link, path, strlen(path) + 1);
	strbuf_add(&link, moved_id, sizeof(moved_id));
	elf = open_linked(tree, link.bytes, link.size);
	strbuf_fini(&link);
	return elf;
}

/* Checks whether the link leads to the moved parts in the tree. */
static void assert_moved(const struct temp_tree *tree, const char *link,
			 const struct debug_file_search *search, bool is_found)
{
	struct error err = { .errno_value = 0 };
	struct elf_file *elf = open_linked_to(tree, link);
	struct dwarf_file *file = dwarf_file_open(elf, search, &err);
	const struct dwarf_sections *moved = dwarf_file_alternate(file);
	struct build_id id = { .size = 0 };

	assert_int_equal(moved != NULL, is_found);
	if (is_found)
		assert_string_equal((const char *)moved->at[DWARF_STR].bytes, "moved");
	assert_int_equal(dwarf_file_lacks_alternate(elf, search, &id, NULL), !is_found);
	assert_int_equal(id.size, sizeof(moved_id));
	assert_memory_equal(id.bytes, moved_id, sizeof(moved_id));
	dwarf_file_close(file);
	elf_file_close(elf);
}

static void moved_parts_are_found_from_the_directory_of_the_file(void **state)
{
	const struct debug_file_search search = { .symfs = "", .debug_dirs = no_dirs };
	const struct temp_tree *tree = *state;

	write_moved(tree, "lib/moved.debug", moved_id);
	assert_moved(tree, "../lib/moved.debug", &search, false); /* there is no bin yet */
	temp_tree_file(tree, "bin/other", "");
	assert_moved(tree, "../lib/moved.debug", &search, true);
}

static void moved_parts_are_found_below_another_root(void **state)
{
	const struct temp_tree *tree = *state;
	const struct debug_file_search search = { .symfs = tree->root, .debug_dirs = no_dirs };

	write_moved(tree, "usr/lib/debug/.dwz/moved.debug", moved_id);
	assert_moved(tree, "/usr/lib/debug/.dwz/moved.debug", &search, true);
	assert_moved(tree, "/usr/lib/debug/.dwz/other.debug", &search, false);
}

static void moved_parts_are_found_by_their_build_id(void **state)
{
	static const char *const dirs[] = { "/usr/lib/debug", NULL };
	const struct temp_tree *tree = *state;
	const struct debug_file_search search = { .symfs = tree->root, .debug_dirs = dirs };

	write_moved(tree, "usr/lib/debug/.build-id/ab/cdef.debug", moved_id);
	assert_moved(tree, "/nowhere/moved.debug", &search, true);
}

static void moved_parts_of_another_build_are_never_taken(void **state)
{
	const struct temp_tree *tree = *state;
	const struct debug_file_search search = { .symfs = tree->root, .debug_dirs = no_dirs };
	struct elf_file *elf = open_linked_to(tree, "/moved.debug");
	struct error err = { .errno_value = 0 };
	struct dwarf_file *file;
	char expected[512];

	write_moved(tree, "moved.debug", other_id);
	file = dwarf_file_open(elf, &search, &err);
	assert_null(dwarf_file_alternate(file));
	snprintf(expected, sizeof(expected),
		 "%s/moved.debug does not have the build-id that %s/bin/program refers to", tree->root,
		 tree->root);
	assert_string_equal(err.message, expected);
	dwarf_file_close(file);
	elf_file_close(elf);
}

static void moved_parts_that_are_nowhere_are_named(void **state)
{
	const struct temp_tree *tree = *state;
	const struct debug_file_search search = { .symfs = tree->root, .debug_dirs = no_dirs };
	struct elf_file *elf = open_linked_to(tree, "/moved.debug");
	struct error err = { .errno_value = 0 };
	struct dwarf_file *file = dwarf_file_open(elf, &search, &err);
	char expected[512];

	assert_null(dwarf_file_alternate(file));
	snprintf(expected, sizeof(expected), "cannot open %s/moved.debug: No such file or directory",
		 tree->root);
	assert_string_equal(err.message, expected);
	dwarf_file_close(file);
	elf_file_close(elf);
}

static void a_link_that_is_damaged_is_said(void **state)
{
	static const struct {
		const char *bytes;
		size_t size;
	} links[] = {
		{ "/moved", 6 },                             /* a path without an end */
		{ "/moved\0", 7 },                           /* no build-id */
		{ "/moved\0\xab", 8 },                       /* too short a build-id */
		{ "/moved\0ABCDEFGHIJKLMNOPQRSTU", 7 + 21 }, /* too long a build-id */
	};
	const struct temp_tree *tree = *state;
	char expected[512];

	snprintf(expected, sizeof(expected), "%s/bin/program: .gnu_debugaltlink is damaged", tree->root);
	for (size_t i = 0; i < sizeof(links) / sizeof(links[0]); i++) {
		struct elf_file *elf = open_linked(tree, links[i].bytes, links[i].size);
		struct error err = { .errno_value = 0 };
		struct dwarf_file *file = dwarf_file_open(elf, &nowhere, &err);
		struct build_id id;

		assert_null(dwarf_file_alternate(file));
		assert_string_equal(err.message, expected);
		assert_int_equal(dwarf_file_lacks_alternate(elf, &nowhere, &id, NULL), -1);
		dwarf_file_close(file);
		elf_file_close(elf);
	}
}

static void a_file_without_a_link_lacks_nothing(void **state)
{
	const struct dwarf_recipe recipe = { .version = 5, .offset_size = 4 };
	struct elf_file *elf;
	struct dwarf_file *file = open_made(&recipe, &elf);
	struct build_id id;

	(void)state;
	assert_int_equal(dwarf_file_lacks_alternate(elf, &nowhere, &id, NULL), 0);
	dwarf_file_close(file);
	elf_file_close(elf);
}

#define TREE_TEST(name) cmocka_unit_test_setup_teardown(name, temp_tree_set_up, temp_tree_tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_unit_says_where_it_is_in_every_version_width_and_byte_order),
		cmocka_unit_test(a_unit_may_not_say_where_its_code_is),
		cmocka_unit_test(ranges_know_their_unit),
		cmocka_unit_test(units_that_others_import_are_passed_over),
		cmocka_unit_test(abbreviations_that_have_to_be_searched_are_read_too),
		cmocka_unit_test(a_large_table_of_abbreviations_is_read_for_some_units),
		cmocka_unit_test(but_not_for_any_number_of_them),
		cmocka_unit_test(a_skeleton_names_the_rest_of_it),
		cmocka_unit_test(so_does_one_of_gnus_before_version_5),
		cmocka_unit_test(a_unit_that_is_cut_off_has_no_code),
		cmocka_unit_test(a_unit_whose_abbreviation_is_missing_is_passed_over),
		cmocka_unit_test(a_file_without_debug_information_has_no_units),
		TREE_TEST(moved_parts_are_found_from_the_directory_of_the_file),
		TREE_TEST(moved_parts_are_found_below_another_root),
		TREE_TEST(moved_parts_are_found_by_their_build_id),
		TREE_TEST(moved_parts_of_another_build_are_never_taken),
		TREE_TEST(moved_parts_that_are_nowhere_are_named),
		TREE_TEST(a_link_that_is_damaged_is_said),
		cmocka_unit_test(a_file_without_a_link_lacks_nothing),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
