#include "symbol/dwarf/unit_source.h"

#include <string.h>

#include "support/cmocka.h"
#include "support/compiled_units.h"
#include "support/dwarf_builder.h"
#include "support/opened_dwarf.h"

struct fixture {
	struct opened_dwarf dwarf;
	struct unit_source source;
	struct str_pool *texts;
};

static void open_fixture(struct fixture *fixture, struct elf_file *elf)
{
	*fixture = (struct fixture){ .texts = str_pool_create() };
	opened_dwarf_open(&fixture->dwarf, elf);
}

static void open_made(struct fixture *fixture)
{
	open_fixture(fixture, dwarf_builder_open(&(struct dwarf_recipe){ .version = 5, .offset_size = 4 }));
}

static void close_fixture(struct fixture *fixture)
{
	unit_source_fini(&fixture->source);
	str_pool_destroy(fixture->texts);
	opened_dwarf_close(&fixture->dwarf);
}

/* Reads the unit for any address. */
static int read_unit(struct fixture *fixture, const struct dwarf_unit *unit, struct error *err)
{
	return unit_source_read(&fixture->source, unit, &fixture->dwarf.context, &fixture->dwarf.handle, NULL,
				0, err);
}

/* "inner /build/inc/unit.h:2 < outer /build/unit.c:7"; "?" stands for unknown. */
static void assert_frames(struct fixture *fixture, uint64_t vaddr, const char *expected)
{
	struct unit_frame frames[INLINE_MAX_DEPTH];
	size_t count = unit_source_find(&fixture->source, vaddr, fixture->texts, frames);
	struct strbuf text;

	strbuf_init(&text);
	for (size_t i = 0; i < count; i++)
		strbuf_addf(&text, "%s%s %s:%u", i ? " < " : "",
			    frames[i].function ? str_pool_text(fixture->texts, frames[i].function) : "?",
			    frames[i].file ? str_pool_text(fixture->texts, frames[i].file) : "?",
			    frames[i].line);
	assert_string_equal(text.bytes, expected);
	strbuf_fini(&text);
}

static void frames_are_functions_with_lines_and_calls(void **state)
{
	struct fixture fixture;

	(void)state;
	open_made(&fixture);
	assert_int_equal(read_unit(&fixture, dwarf_file_unit(fixture.dwarf.file, 0), NULL), 0);
	assert_frames(&fixture, 0x1000, "outer /build/unit.c:5");
	assert_frames(&fixture, 0x1004, "inner /build/inc/unit.h:2 < outer /build/unit.c:7");
	assert_frames(&fixture, 0x1010, "");
	close_fixture(&fixture);
}

static void the_directory_is_the_units(void **state)
{
	struct dwarf_unit unit;
	struct fixture fixture;

	(void)state;
	open_made(&fixture);
	unit = *dwarf_file_unit(fixture.dwarf.file, 0);
	unit.directory = NULL;
	assert_int_equal(read_unit(&fixture, &unit, NULL), 0);
	assert_frames(&fixture, 0x1000,
		      "outer /build/unit.c:5"); /* the line table has a directory of its own */
	close_fixture(&fixture);
}

static void a_function_is_told_with_its_part(void **state)
{
	const struct owned_range *function;
	struct fixture fixture;
	uint32_t name = 0;

	(void)state;
	open_made(&fixture);
	assert_int_equal(read_unit(&fixture, dwarf_file_unit(fixture.dwarf.file, 0), NULL), 0);
	function = unit_source_function(&fixture.source, 0x1004, fixture.texts, &name);
	assert_non_null(function);
	assert_int_equal(function->low, 0x1000);
	assert_int_equal(function->high, 0x1010);
	assert_string_equal(str_pool_text(fixture.texts, name), "outer");
	assert_null(unit_source_function(&fixture.source, 0x1010, fixture.texts, &name));
	close_fixture(&fixture);
}

static void a_unit_without_functions_and_lines_knows_nothing(void **state)
{
	static const struct compiled_unit unit = { 0x1000, 0x1010 };
	struct fixture fixture;
	uint32_t name;

	(void)state;
	open_fixture(&fixture, compiled_units_open(&unit, 1));
	assert_int_equal(read_unit(&fixture, dwarf_file_unit(fixture.dwarf.file, 0), NULL), 0);
	assert_frames(&fixture, 0x1000, "");
	assert_null(unit_source_function(&fixture.source, 0x1000, fixture.texts, &name));
	close_fixture(&fixture);
}

/* The lines are in the skeleton, which is all that is there. */
static void a_unit_whose_rest_is_missing_has_lines_at_least(void **state)
{
	struct error err = { .errno_value = 0 };
	struct dwarf_unit unit;
	struct fixture fixture;
	uint32_t name;

	(void)state;
	open_made(&fixture);
	unit = *dwarf_file_unit(fixture.dwarf.file, 0);
	unit.split_name = "unit.dwo";
	assert_int_equal(read_unit(&fixture, &unit, &err), -1);
	assert_string_equal(err.message,
			    "cannot open /proc/nonexistent/build/unit.dwo: No such file or directory");
	assert_false(fixture.source.is_split);
	assert_frames(&fixture, 0x1000, "outer /build/unit.c:5");
	assert_non_null(unit_source_function(&fixture.source, 0x1000, fixture.texts, &name));
	close_fixture(&fixture);
}

static void a_unit_that_is_not_where_it_was_knows_nothing(void **state)
{
	const struct dwarf_unit lost = { .entry = 1 << 20 };
	struct fixture fixture;

	(void)state;
	open_made(&fixture);
	assert_int_equal(read_unit(&fixture, dwarf_file_unit(fixture.dwarf.file, 0), NULL), 0);
	assert_int_equal(read_unit(&fixture, &lost, NULL), 0);
	assert_frames(&fixture, 0x1000, "");
	close_fixture(&fixture);
}

static void through_a_handle_that_is_closed_nothing_is_known(void **state)
{
	const struct dwarf_handle closed = { .dwarf = NULL };
	struct fixture fixture;

	(void)state;
	open_made(&fixture);
	assert_int_equal(unit_source_read(&fixture.source, dwarf_file_unit(fixture.dwarf.file, 0),
					  &fixture.dwarf.context, &closed, NULL, 0, NULL),
			 0);
	assert_frames(&fixture, 0x1000, "");
	close_fixture(&fixture);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(frames_are_functions_with_lines_and_calls),
		cmocka_unit_test(the_directory_is_the_units),
		cmocka_unit_test(a_function_is_told_with_its_part),
		cmocka_unit_test(a_unit_without_functions_and_lines_knows_nothing),
		cmocka_unit_test(a_unit_whose_rest_is_missing_has_lines_at_least),
		cmocka_unit_test(a_unit_that_is_not_where_it_was_knows_nothing),
		cmocka_unit_test(through_a_handle_that_is_closed_nothing_is_known),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
