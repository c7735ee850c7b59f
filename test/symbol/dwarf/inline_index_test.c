#include "symbol/dwarf/inline_index.h"

#include <ctype.h>
#include <dwarf.h>
#include <stdlib.h>
#include <string.h>

#include "support/cmocka.h"
#include "support/dwarf_bytes.h"

/* --- a unit that is written down in letters ------------------------------------------------------------ */

/*
 * "n{f1000-1100{i1010-1020{}}}": f is a function and i an inlined call, each with the start and end of its code; n is a
 * namespace, b a block, s a type, t a type with DW_AT_sibling. Braces contain the nested entries.
 */
struct letter {
	char letter;
	uint8_t code; /* of its abbreviation */
	unsigned int tag;
	bool has_code, has_sibling;
};

static const struct letter letters[] = {
	{ 'f', 2, DW_TAG_subprogram, true, false },      { 'i', 3, DW_TAG_inlined_subroutine, true, false },
	{ 'n', 4, DW_TAG_namespace, false, false },      { 'b', 5, DW_TAG_lexical_block, false, false },
	{ 's', 6, DW_TAG_structure_type, false, false }, { 't', 7, DW_TAG_structure_type, false, true },
};

enum { LETTERS = sizeof(letters) / sizeof(letters[0]), UNIT = 1, HEADER_BYTES = 12 };

static void make_abbrevs(struct dwarf_bytes *abbrev)
{
	static const struct dwarf_attribute code[] = { { DW_AT_low_pc, DW_FORM_addr },
						       { DW_AT_high_pc, DW_FORM_addr } };
	static const struct dwarf_attribute sibling = { DW_AT_sibling, DW_FORM_ref4 };
	static const struct dwarf_attribute language = { DW_AT_language, DW_FORM_data1 };

	dwarf_bytes_abbrev(abbrev, UNIT, DW_TAG_compile_unit, true, &language, 1);
	for (size_t i = 0; i < LETTERS; i++)
		dwarf_bytes_abbrev(abbrev, letters[i].code, letters[i].tag, true,
				   letters[i].has_sibling ? &sibling : code,
				   letters[i].has_sibling ? 1 :
				   letters[i].has_code    ? 2 :
							    0);
	dwarf_bytes_u8(abbrev, 0);
}

static const struct letter *find_letter(char letter)
{
	for (size_t i = 0; i < LETTERS; i++)
		if (letters[i].letter == letter)
			return &letters[i];
	fail_msg("no entry is written '%c'", letter);
	return NULL;
}

static uint64_t read_number(const char **text)
{
	char *end;
	uint64_t number = strtoull(*text, &end, 16);

	*text = end;
	return number;
}

/* Offsets count from the unit's length, which is prepended at the end. */
static void patch_sibling(struct dwarf_bytes *info, size_t at)
{
	uint32_t offset = (uint32_t)(info->buf.size + dwarf_bytes_length_size(info));

	memcpy(info->buf.bytes + at, &offset, sizeof(offset));
}

static void add_entries(struct dwarf_bytes *info, const char **text)
{
	while (**text && **text != '}') {
		const struct letter *letter = find_letter(*(*text)++);
		size_t sibling_at;

		dwarf_bytes_u8(info, letter->code);
		sibling_at = info->buf.size;
		if (letter->has_sibling)
			dwarf_bytes_u32(info, 0);
		if (letter->has_code) {
			dwarf_bytes_address(info, read_number(text));
			(*text)++; /* '-' */
			dwarf_bytes_address(info, read_number(text));
		}
		(*text)++; /* '{' */
		add_entries(info, text);
		(*text)++; /* '}' */
		dwarf_bytes_u8(info, 0);
		if (letter->has_sibling)
			patch_sibling(info, sibling_at);
		while (isspace((unsigned char)**text))
			(*text)++;
	}
}

struct fixture {
	struct dwarf_bytes info, abbrev;
	struct dwarf_sections sections;
	struct dwarf_handle handle;
	Dwarf_Die unit;
	struct inline_index index;
};

static void open_fixture(struct fixture *fixture, uint8_t language, const char *text)
{
	*fixture = (struct fixture){ .sections = { .is_64bit = true } };
	dwarf_bytes_init(&fixture->info, 5, 4, false);
	dwarf_bytes_init(&fixture->abbrev, 5, 4, false);
	make_abbrevs(&fixture->abbrev);
	dwarf_bytes_unit_header(&fixture->info, DW_UT_compile, 0);
	dwarf_bytes_u8(&fixture->info, UNIT);
	dwarf_bytes_u8(&fixture->info, language);
	add_entries(&fixture->info, &text);
	assert_int_equal(*text, '\0');
	dwarf_bytes_u8(&fixture->info, 0);
	dwarf_bytes_prepend_length(&fixture->info);
	fixture->sections.at[DWARF_INFO] =
		(struct dwarf_section){ (const uint8_t *)fixture->info.buf.bytes, fixture->info.buf.size };
	fixture->sections.at[DWARF_ABBREV] =
		(struct dwarf_section){ (const uint8_t *)fixture->abbrev.buf.bytes,
					fixture->abbrev.buf.size };
	assert_int_equal(dwarf_handle_open(&fixture->handle, &fixture->sections, NULL), 0);
	assert_non_null(dwarf_offdie(fixture->handle.dwarf, HEADER_BYTES, &fixture->unit));
}

static void close_fixture(struct fixture *fixture)
{
	inline_index_fini(&fixture->index);
	dwarf_handle_close(&fixture->handle);
	dwarf_bytes_fini(&fixture->info);
	dwarf_bytes_fini(&fixture->abbrev);
}

/* --- questions ------------------------------------------------------------------------------------------ */

enum { CODE = 0x1000 };

static bool is_code(uint64_t vaddr, const void *context)
{
	(void)context;
	return vaddr >= CODE;
}

/* Reads the index for any address, or for the wanted ones only. */
static void read_index(struct fixture *fixture, const uint64_t *wanted, size_t count)
{
	inline_index_read(&fixture->index, &fixture->sections, &fixture->unit, is_code, NULL, wanted, count);
}

/* "f1000-1100 i1010-1020": the function and the calls inlined at the address, callers first. */
static void describe(struct strbuf *out, struct inline_index *index, uint64_t address)
{
	uint32_t numbers[INLINE_MAX_DEPTH];
	size_t count = inline_index_find(index, address, numbers);

	for (size_t i = 0; i < count; i++) {
		const struct inline_scope *scope = &index->scopes[numbers[i]];
		const struct dwarf_range *range = &index->ranges.items[scope->first_range];

		strbuf_addf(out, "%s%c%zx-%zx", i ? " " : "", scope->is_function ? 'f' : 'i',
			    (size_t)range->low, (size_t)range->high);
	}
}

static void assert_scopes(struct fixture *fixture, uint64_t address, const char *expected)
{
	struct strbuf text;

	strbuf_init(&text);
	describe(&text, &fixture->index, address);
	assert_string_equal(text.bytes, expected);
	strbuf_fini(&text);
}

/* Checks a unit in letters, written in C. */
static void assert_found(const char *unit, uint64_t address, const char *expected)
{
	struct fixture fixture;

	open_fixture(&fixture, DW_LANG_C11, unit);
	read_index(&fixture, NULL, 0);
	assert_scopes(&fixture, address, expected);
	read_index(&fixture, &address, 1);
	assert_scopes(&fixture, address, expected);
	close_fixture(&fixture);
}

static void an_address_lies_in_calls_inside_of_each_other(void **state)
{
	static const char unit[] = "f1000-1100{i1010-1040{i1014-1018{} i1020-1030{}} i1040-1050{}}";

	(void)state;
	assert_found(unit, 0x1000, "f1000-1100");
	assert_found(unit, 0x1010, "f1000-1100 i1010-1040");
	assert_found(unit, 0x1014, "f1000-1100 i1010-1040 i1014-1018");
	assert_found(unit, 0x1018, "f1000-1100 i1010-1040");
	assert_found(unit, 0x1020, "f1000-1100 i1010-1040 i1020-1030");
	assert_found(unit, 0x1040, "f1000-1100 i1040-1050");
	assert_found(unit, 0x10ff, "f1000-1100");
	assert_found(unit, 0x1100, "");
	assert_found(unit, 0, "");
	assert_found(unit, UINT64_MAX, "");
}

static void of_overlapping_calls_the_first_entry_holds(void **state)
{
	static const char unit[] = "f1000-1100{i1010-1030{} i1020-1040{}}";

	(void)state;
	assert_found(unit, 0x1028, "f1000-1100 i1010-1030");
	assert_found(unit, 0x1038, "f1000-1100 i1020-1040");
}

static void of_functions_that_begin_together_the_first_entry_holds(void **state)
{
	static const char unit[] = "f1000-1010{} f1000-1020{}";

	(void)state;
	assert_found(unit, 0x1008, "f1000-1010");
	assert_found(unit, 0x1018, "f1000-1020");
}

static void a_call_reaches_no_farther_than_what_it_lies_in(void **state)
{
	static const char unit[] = "f1000-1100{i1010-1020{i1018-1030{}}}";

	(void)state;
	assert_found(unit, 0x101c, "f1000-1100 i1010-1020 i1018-1030");
	assert_found(unit, 0x1028, "f1000-1100");
}

static void blocks_and_namespaces_are_looked_into(void **state)
{
	static const char unit[] = "n{n{f1000-1100{b{b{i1010-1020{}}}}}}";

	(void)state;
	assert_found(unit, 0x1018, "f1000-1100 i1010-1020");
}

static void types_are_looked_into_unless_they_say_what_comes_next(void **state)
{
	(void)state;
	assert_found("s{f1000-1010{}} f1010-1020{}", 0x1008, "f1000-1010");
	assert_found("t{f1000-1010{}} f1010-1020{}", 0x1008, "");
	assert_found("t{f1000-1010{}} f1010-1020{}", 0x1018, "f1010-1020");
}

static void calls_outside_of_functions_are_none(void **state)
{
	(void)state;
	assert_found("i1000-1010{} b{i1010-1020{}}", 0x1008, "");
	assert_found("i1000-1010{} b{i1010-1020{}}", 0x1018, "");
}

static void functions_inside_of_functions_are_functions(void **state)
{
	static const char unit[] = "f1000-1100{f1040-1050{i1044-1048{}} i1060-1070{}}";

	(void)state;
	assert_found(unit, 0x1044, "f1040-1050 i1044-1048");
	assert_found(unit, 0x1050, "f1000-1100");
	assert_found(unit, 0x1060, "f1000-1100 i1060-1070");
}

/*
 * In a language without nested functions, their ranges are not read: most of a unit is in functions that are never looked
 * up.
 */
static void but_not_in_cxx(void **state)
{
	struct fixture fixture;

	(void)state;
	open_fixture(&fixture, DW_LANG_C_plus_plus_14, "f1000-1100{f1040-1050{} i1060-1070{}}");
	read_index(&fixture, NULL, 0);
	assert_scopes(&fixture, 0x1044, "f1000-1100");
	assert_scopes(&fixture, 0x1060, "f1000-1100 i1060-1070");
	close_fixture(&fixture);
}

static void what_the_linker_left_out_is_nowhere(void **state)
{
	static const char unit[] = "f0-2000{i10-1800{}} f1000-1010{i0-10{}}";

	(void)state;
	assert_found(unit, 0x1008, "f1000-1010");
	assert_found(unit, 0x8, "");
	assert_found(unit, 0x1018, "");
}

static void code_that_ends_where_it_begins_is_none(void **state)
{
	(void)state;
	assert_found("f1000-1000{i1000-1010{}}", 0x1000, "");
	assert_found("f1010-1000{}", 0x1008, "");
	assert_found("f1000-1010{i1008-1004{}}", 0x1006, "f1000-1010");
}

static void only_functions_that_are_asked_for_are_kept(void **state)
{
	static const uint64_t wanted[] = { 0x1008, 0x1208 };
	struct fixture fixture;

	(void)state;
	open_fixture(&fixture, DW_LANG_C11,
		     "f1000-1010{i1000-1004{} i1008-100c{}} f1100-1110{i1100-1108{}} f1200-1210{}");
	read_index(&fixture, wanted, 2);
	assert_int_equal(fixture.index.functions.count, 2);
	assert_int_equal(fixture.index.scope_count, 3);
	assert_scopes(&fixture, 0x1008, "f1000-1010 i1008-100c");
	assert_scopes(&fixture, 0x1208, "f1200-1210");
	assert_scopes(&fixture, 0x1108, "");
	assert_null(inline_index_function(&fixture.index, 0x1108));
	assert_int_equal(inline_index_function(&fixture.index, 0x1208)->high, 0x1210);
	close_fixture(&fixture);
}

static void what_was_inlined_is_read_once_when_it_is_asked_for(void **state)
{
	struct fixture fixture;
	size_t scopes;

	(void)state;
	open_fixture(&fixture, DW_LANG_C11, "f1000-1010{i1000-1008{}} f1100-1110{i1100-1108{}}");
	read_index(&fixture, NULL, 0);
	assert_int_equal(fixture.index.scope_count, 2);
	assert_scopes(&fixture, 0x1104, "f1100-1110 i1100-1108");
	scopes = fixture.index.scope_count;
	assert_scopes(&fixture, 0x1100, "f1100-1110 i1100-1108");
	assert_scopes(&fixture, 0x110c, "f1100-1110");
	assert_int_equal(fixture.index.scope_count, scopes);
	close_fixture(&fixture);
}

static void an_index_is_read_again_and_again(void **state)
{
	static const uint64_t first = 0x1008, second = 0x1108;
	struct fixture fixture;

	(void)state;
	open_fixture(&fixture, DW_LANG_C11, "f1000-1010{} f1100-1110{}");
	read_index(&fixture, &first, 1);
	assert_scopes(&fixture, 0x1008, "f1000-1010");
	read_index(&fixture, &second, 1);
	assert_scopes(&fixture, 0x1008, "");
	assert_scopes(&fixture, 0x1108, "f1100-1110");
	close_fixture(&fixture);
}

/* `depth` letters, each with braces around the next, and `inside` in the innermost. */
static char *nest(const char *letter, size_t depth, const char *inside)
{
	struct strbuf text;

	strbuf_init(&text);
	for (size_t i = 0; i < depth; i++)
		strbuf_addf(&text, "%s{", letter);
	strbuf_adds(&text, inside);
	for (size_t i = 0; i < depth; i++)
		strbuf_adds(&text, "}");
	return strbuf_detach(&text);
}

static void entries_deeper_than_any_code_are_not_looked_at(void **state)
{
	char *deep = nest("b", 500, "f1000-1010{}"), *too_deep = nest("b", 2000, "f1000-1010{}");

	(void)state;
	assert_found(deep, 0x1008, "f1000-1010");
	assert_found(too_deep, 0x1008, "");
	free(deep);
	free(too_deep);
}

static void calls_deeper_than_any_code_are_cut_off(void **state)
{
	char *calls = nest("i1000-1010", 400, "");
	uint32_t scopes[INLINE_MAX_DEPTH];
	struct fixture fixture;
	struct strbuf unit;

	(void)state;
	strbuf_init(&unit);
	strbuf_addf(&unit, "f1000-1010{%s}", calls);
	open_fixture(&fixture, DW_LANG_C11, unit.bytes);
	read_index(&fixture, NULL, 0);
	assert_int_equal(inline_index_find(&fixture.index, 0x1008, scopes), INLINE_MAX_DEPTH);
	close_fixture(&fixture);
	strbuf_fini(&unit);
	free(calls);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(an_address_lies_in_calls_inside_of_each_other),
		cmocka_unit_test(of_overlapping_calls_the_first_entry_holds),
		cmocka_unit_test(of_functions_that_begin_together_the_first_entry_holds),
		cmocka_unit_test(a_call_reaches_no_farther_than_what_it_lies_in),
		cmocka_unit_test(blocks_and_namespaces_are_looked_into),
		cmocka_unit_test(types_are_looked_into_unless_they_say_what_comes_next),
		cmocka_unit_test(calls_outside_of_functions_are_none),
		cmocka_unit_test(functions_inside_of_functions_are_functions),
		cmocka_unit_test(but_not_in_cxx),
		cmocka_unit_test(what_the_linker_left_out_is_nowhere),
		cmocka_unit_test(code_that_ends_where_it_begins_is_none),
		cmocka_unit_test(only_functions_that_are_asked_for_are_kept),
		cmocka_unit_test(what_was_inlined_is_read_once_when_it_is_asked_for),
		cmocka_unit_test(an_index_is_read_again_and_again),
		cmocka_unit_test(entries_deeper_than_any_code_are_not_looked_at),
		cmocka_unit_test(calls_deeper_than_any_code_are_cut_off),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
