#include "symbol/dwarf/dwarf_handle.h"

#include <dwarf.h>
#include <string.h>

#include "support/cmocka.h"
#include "support/dwarf_bytes.h"

/* A unit with entries of these kinds, by the numbers of their abbreviations. */
enum kind { UNIT = 1, LINKED, LINKED_BEFORE_4, ONLY_NAMED, OF_ORIGIN, NAMELESS, IN_STR, IN_ALTERNATE, KINDS };

struct fixture {
	struct dwarf_bytes info, abbrev;
	size_t entries[KINDS]; /* offsets in .debug_info */
	struct dwarf_sections sections;
	struct dwarf_handle handle;
};

static struct dwarf_section section_of(const struct dwarf_bytes *bytes)
{
	return (struct dwarf_section){ (const uint8_t *)bytes->buf.bytes, bytes->buf.size };
}

static struct dwarf_section text_section(const char *bytes, size_t size)
{
	return (struct dwarf_section){ (const uint8_t *)bytes, size };
}

static void make_abbrevs(struct dwarf_bytes *abbrev)
{
	static const struct dwarf_attribute name = { DW_AT_name, DW_FORM_string };
	static const struct dwarf_attribute linked[] = { { DW_AT_name, DW_FORM_string },
							 { DW_AT_linkage_name, DW_FORM_string } };
	static const struct dwarf_attribute before_4[] = { { DW_AT_name, DW_FORM_string },
							   { DW_AT_MIPS_linkage_name, DW_FORM_string } };
	static const struct dwarf_attribute of_origin[] = { { DW_AT_abstract_origin, DW_FORM_ref4 },
							    { DW_AT_decl_line, DW_FORM_data1 } };
	static const struct dwarf_attribute in_str = { DW_AT_name, DW_FORM_strp };
	static const struct dwarf_attribute in_alternate = { DW_AT_name, DW_FORM_GNU_strp_alt };

	dwarf_bytes_abbrev(abbrev, UNIT, DW_TAG_compile_unit, true, &name, 1);
	dwarf_bytes_abbrev(abbrev, LINKED, DW_TAG_subprogram, false, linked, 2);
	dwarf_bytes_abbrev(abbrev, LINKED_BEFORE_4, DW_TAG_subprogram, false, before_4, 2);
	dwarf_bytes_abbrev(abbrev, ONLY_NAMED, DW_TAG_subprogram, false, &name, 1);
	dwarf_bytes_abbrev(abbrev, OF_ORIGIN, DW_TAG_subprogram, false, of_origin, 2);
	dwarf_bytes_abbrev(abbrev, NAMELESS, DW_TAG_subprogram, false, NULL, 0);
	dwarf_bytes_abbrev(abbrev, IN_STR, DW_TAG_subprogram, false, &in_str, 1);
	dwarf_bytes_abbrev(abbrev, IN_ALTERNATE, DW_TAG_subprogram, false, &in_alternate, 1);
	dwarf_bytes_u8(abbrev, 0);
}

static void begin_entry(struct fixture *fixture, enum kind kind)
{
	fixture->entries[kind] = fixture->info.buf.size + dwarf_bytes_length_size(&fixture->info);
	dwarf_bytes_u8(&fixture->info, kind);
}

static void make_info(struct fixture *fixture)
{
	struct dwarf_bytes *info = &fixture->info;

	dwarf_bytes_unit_header(info, DW_UT_compile, 0);
	begin_entry(fixture, UNIT);
	dwarf_bytes_text(info, "unit.c");
	begin_entry(fixture, LINKED);
	dwarf_bytes_text(info, "f");
	dwarf_bytes_text(info, "_Z1fv");
	begin_entry(fixture, LINKED_BEFORE_4);
	dwarf_bytes_text(info, "g");
	dwarf_bytes_text(info, "_Z1gv");
	begin_entry(fixture, ONLY_NAMED);
	dwarf_bytes_text(info, "h");
	begin_entry(fixture, OF_ORIGIN);
	dwarf_bytes_u32(info, (uint32_t)fixture->entries[LINKED]);
	dwarf_bytes_u8(info, 7);
	begin_entry(fixture, NAMELESS);
	begin_entry(fixture, IN_STR);
	dwarf_bytes_offset(info, 2);
	begin_entry(fixture, IN_ALTERNATE);
	dwarf_bytes_offset(info, 3);
	dwarf_bytes_u8(info, 0); /* end of the unit's children */
	dwarf_bytes_prepend_length(info);
}

static void make(struct fixture *fixture, uint8_t version, uint8_t offset_size, bool swap)
{
	*fixture = (struct fixture){ .sections = { .is_64bit = true, .swap = swap } };
	dwarf_bytes_init(&fixture->info, version, offset_size, swap);
	dwarf_bytes_init(&fixture->abbrev, version, offset_size, swap);
	make_abbrevs(&fixture->abbrev);
	make_info(fixture);
	fixture->sections.at[DWARF_INFO] = section_of(&fixture->info);
	fixture->sections.at[DWARF_ABBREV] = section_of(&fixture->abbrev);
	fixture->sections.at[DWARF_STR] = text_section("a\0in str", 9);
}

static void release(struct fixture *fixture)
{
	dwarf_handle_close(&fixture->handle);
	dwarf_bytes_fini(&fixture->info);
	dwarf_bytes_fini(&fixture->abbrev);
}

static int set_up(void **state)
{
	static struct fixture fixture;

	make(&fixture, 4, 4, false);
	*state = &fixture;
	return 0;
}

static int tear_down(void **state)
{
	release(*state);
	return 0;
}

static void open_handle(struct fixture *fixture)
{
	assert_int_equal(dwarf_handle_open(&fixture->handle, &fixture->sections, NULL), 0);
}

static Dwarf_Die entry_of(struct fixture *fixture, enum kind kind)
{
	Dwarf_Die entry;

	assert_non_null(dwarf_offdie(fixture->handle.dwarf, fixture->entries[kind], &entry));
	return entry;
}

static const char *name_of(struct fixture *fixture, enum kind kind)
{
	Dwarf_Die entry = entry_of(fixture, kind);

	return dwarf_handle_name(&fixture->handle, &entry);
}

static void sections_of_every_kind_are_read_where_they_lie(void **state)
{
	(void)state;
	for (uint8_t version = 2; version <= 5; version++) {
		for (int i = 0; i < 4; i++) {
			struct fixture fixture;
			const char *name;

			make(&fixture, version, i & 1 ? 8 : 4, i & 2);
			open_handle(&fixture);
			name = name_of(&fixture, UNIT);
			assert_string_equal(name, "unit.c");
			assert_ptr_equal(name, fixture.info.buf.bytes + fixture.entries[UNIT] + 1);
			release(&fixture);
		}
	}
}

static void an_entry_is_called_as_the_linker_knows_it(void **state)
{
	struct fixture *fixture = *state;

	open_handle(fixture);
	assert_string_equal(name_of(fixture, LINKED), "_Z1fv");
	assert_string_equal(name_of(fixture, LINKED_BEFORE_4), "_Z1gv");
	assert_string_equal(name_of(fixture, ONLY_NAMED), "h");
}

static void an_entry_has_the_name_of_its_origin(void **state)
{
	struct fixture *fixture = *state;

	open_handle(fixture);
	assert_string_equal(name_of(fixture, OF_ORIGIN), "_Z1fv");
}

static void an_entry_may_have_no_name(void **state)
{
	struct fixture *fixture = *state;

	open_handle(fixture);
	assert_null(name_of(fixture, NAMELESS));
	assert_null(dwarf_handle_text(&fixture->handle, NULL));
}

static void a_number_that_an_entry_does_not_have_is_zero(void **state)
{
	struct fixture *fixture = *state;
	Dwarf_Die numbered, nameless;

	open_handle(fixture);
	numbered = entry_of(fixture, OF_ORIGIN);
	nameless = entry_of(fixture, NAMELESS);
	assert_int_equal(dwarf_handle_number(&numbered, DW_AT_decl_line), 7);
	assert_int_equal(dwarf_handle_number(&nameless, DW_AT_decl_line), 0);
	assert_int_equal(dwarf_handle_number(&numbered, DW_AT_name), 0);
}

static void a_text_that_is_no_number_is_zero(void **state)
{
	struct fixture *fixture = *state;
	Dwarf_Die named;

	open_handle(fixture);
	named = entry_of(fixture, ONLY_NAMED);
	assert_int_equal(dwarf_handle_number(&named, DW_AT_name), 0);
}

static void a_text_that_does_not_end_in_its_section_is_none(void **state)
{
	struct fixture *fixture = *state;

	open_handle(fixture);
	assert_string_equal(name_of(fixture, IN_STR), "in str");
	dwarf_handle_close(&fixture->handle);
	fixture->sections.at[DWARF_STR].size--; /* without the last terminator */
	open_handle(fixture);
	assert_null(name_of(fixture, IN_STR));
}

static void a_text_of_which_nothing_is_left_is_none(void **state)
{
	struct fixture *fixture = *state;

	fixture->sections.at[DWARF_INFO].size =
		fixture->entries[UNIT] + 1; /* ends after the code of its abbreviation */
	open_handle(fixture);
	assert_null(name_of(fixture, UNIT));
}

static void a_text_of_a_section_that_is_missing_is_none(void **state)
{
	struct fixture *fixture = *state;

	fixture->sections.at[DWARF_STR] = (struct dwarf_section){ .bytes = NULL };
	open_handle(fixture);
	assert_null(name_of(fixture, IN_STR));
	assert_string_equal(name_of(fixture, ONLY_NAMED), "h");
}

static void an_entry_whose_abbreviation_is_cut_off_has_no_name(void **state)
{
	struct fixture *fixture = *state;

	fixture->sections.at[DWARF_ABBREV].size = 2; /* only code and tag of the unit's abbreviation */
	open_handle(fixture);
	assert_null(name_of(fixture, UNIT));
}

static void texts_may_have_moved_to_another_file(void **state)
{
	struct fixture *fixture = *state;
	struct dwarf_sections alternate = fixture->sections;

	alternate.at[DWARF_STR] = text_section("at\0moved", 9);
	open_handle(fixture);
	assert_null(name_of(fixture, IN_ALTERNATE));
	dwarf_handle_close(&fixture->handle);
	assert_int_equal(dwarf_handle_open(&fixture->handle, &fixture->sections, &alternate), 0);
	assert_string_equal(name_of(fixture, IN_ALTERNATE), "moved");
	assert_string_equal(name_of(fixture, IN_STR), "in str");
}

static void a_moved_text_has_to_end_in_its_section_too(void **state)
{
	struct fixture *fixture = *state;
	struct dwarf_sections alternate = fixture->sections;

	alternate.at[DWARF_STR] = text_section("at\0moved", 8);
	assert_int_equal(dwarf_handle_open(&fixture->handle, &fixture->sections, &alternate), 0);
	assert_null(name_of(fixture, IN_ALTERNATE));
}

static void another_file_without_debug_information_is_as_none(void **state)
{
	struct fixture *fixture = *state;
	const struct dwarf_sections empty = { .is_64bit = true };

	assert_int_equal(dwarf_handle_open(&fixture->handle, &fixture->sections, &empty), 0);
	assert_null(name_of(fixture, IN_ALTERNATE));
	assert_string_equal(name_of(fixture, ONLY_NAMED), "h");
}

static void without_sections_there_is_nothing_to_open(void **state)
{
	const struct dwarf_sections empty = { .is_64bit = true };
	struct dwarf_handle handle;

	(void)state;
	assert_int_equal(dwarf_handle_open(&handle, &empty, NULL), -1);
	assert_null(handle.dwarf);
	assert_null(handle.elf);
	dwarf_handle_close(&handle);
}

static void handles_over_the_same_sections_know_nothing_of_each_other(void **state)
{
	struct fixture *fixture = *state;
	struct dwarf_handle other;

	open_handle(fixture);
	assert_int_equal(dwarf_handle_open(&other, &fixture->sections, NULL), 0);
	dwarf_handle_close(&other);
	assert_null(other.dwarf);
	assert_string_equal(name_of(fixture, LINKED), "_Z1fv");
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(sections_of_every_kind_are_read_where_they_lie),
		TEST(an_entry_is_called_as_the_linker_knows_it),
		TEST(an_entry_has_the_name_of_its_origin),
		TEST(an_entry_may_have_no_name),
		TEST(a_number_that_an_entry_does_not_have_is_zero),
		TEST(a_text_that_is_no_number_is_zero),
		TEST(a_text_that_does_not_end_in_its_section_is_none),
		TEST(a_text_of_which_nothing_is_left_is_none),
		TEST(a_text_of_a_section_that_is_missing_is_none),
		TEST(an_entry_whose_abbreviation_is_cut_off_has_no_name),
		TEST(texts_may_have_moved_to_another_file),
		TEST(a_moved_text_has_to_end_in_its_section_too),
		TEST(another_file_without_debug_information_is_as_none),
		cmocka_unit_test(without_sections_there_is_nothing_to_open),
		TEST(handles_over_the_same_sections_know_nothing_of_each_other),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
