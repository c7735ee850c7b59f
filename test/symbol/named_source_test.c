#include "symbol/named_source.h"

#include <elf.h>
#include <string.h>

#include "support/cmocka.h"
#include "support/dwarf_builder.h"

static const struct debug_file_search nowhere = { .symfs = "/proc/nonexistent" };

/* Demangles inner to "inner()" and nothing else. Counts its calls. */
static const char *demangle_inner(const char *name, void *context)
{
	(*(size_t *)context)++;
	return strcmp(name, "inner") == 0 ? "inner()" : NULL;
}

struct fixture {
	struct elf_file *elf;
	struct named_source *source;
	size_t asked;
};

static void open_fixture(struct fixture *fixture, symbol_map_demangle *demangle)
{
	*fixture = (struct fixture){ .elf = dwarf_builder_open(
					     &(struct dwarf_recipe){ .version = 5, .offset_size = 4 }) };
	fixture->source = named_source_open(fixture->elf, NULL, &nowhere, NULL, demangle, &fixture->asked);
	assert_non_null(fixture->source);
}

static void close_fixture(struct fixture *fixture)
{
	named_source_close(fixture->source);
	elf_file_close(fixture->elf);
}

/* Checks the names at 0x1004, where outer() inlines inner(). */
static void assert_inlined(struct fixture *fixture, const char *inner, const char *outer)
{
	const struct source_frame *frames;

	assert_int_equal(named_source_find(fixture->source, 0x1004, &frames), 2);
	assert_string_equal(frames[0].function, inner);
	assert_string_equal(frames[0].file, "/build/inc/unit.h");
	assert_int_equal(frames[0].line, 2);
	assert_string_equal(frames[1].function, outer);
	assert_string_equal(frames[1].file, "/build/unit.c");
	assert_int_equal(frames[1].line, 7);
}

static void functions_are_called_as_users_know_them(void **state)
{
	struct fixture fixture;

	(void)state;
	open_fixture(&fixture, demangle_inner);
	assert_inlined(&fixture, "inner()", "outer");
	close_fixture(&fixture);
}

static void each_name_is_demangled_once(void **state)
{
	const struct source_frame *frames;
	struct fixture fixture;

	(void)state;
	open_fixture(&fixture, demangle_inner);
	assert_inlined(&fixture, "inner()", "outer");
	assert_inlined(&fixture, "inner()", "outer");
	assert_int_equal(named_source_find(fixture.source, 0x100d, &frames), 2);
	assert_string_equal(frames[0].function, "inner()");
	assert_int_equal(fixture.asked, 2);
	close_fixture(&fixture);
}

static void without_a_demangler_names_stay_as_they_are(void **state)
{
	struct fixture fixture;

	(void)state;
	open_fixture(&fixture, NULL);
	assert_inlined(&fixture, "inner", "outer");
	assert_int_equal(fixture.asked, 0);
	close_fixture(&fixture);
}

static void a_function_is_found_with_both_of_its_names(void **state)
{
	struct source_function function;
	struct fixture fixture;
	const char *shown;

	(void)state;
	open_fixture(&fixture, demangle_inner);
	assert_int_equal(named_source_find_function(fixture.source, 0x1004, &function, &shown), 1);
	assert_string_equal(function.name, "outer");
	assert_string_equal(shown, "outer");
	assert_int_equal(function.low, 0x1000);
	assert_int_equal(function.high, 0x1010);
	assert_int_equal(named_source_find_function(fixture.source, 0x1010, &function, &shown), 0);
	close_fixture(&fixture);
}

static void where_nothing_is_known_there_are_no_frames(void **state)
{
	const struct source_frame *frames;
	struct fixture fixture;

	(void)state;
	open_fixture(&fixture, demangle_inner);
	assert_int_equal(named_source_find(fixture.source, 0x5000, &frames), 0);
	assert_int_equal(fixture.asked, 0);
	close_fixture(&fixture);
}

static void a_file_without_debug_information_has_no_source(void **state)
{
	struct elf_builder builder;
	struct elf_file *elf;

	(void)state;
	elf_builder_init(&builder, true, false, ET_DYN, EM_X86_64);
	elf = elf_builder_open(&builder, "bare");
	assert_null(named_source_open(elf, NULL, &nowhere, NULL, NULL, NULL));
	elf_file_close(elf);
	named_source_close(NULL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(functions_are_called_as_users_know_them),
		cmocka_unit_test(each_name_is_demangled_once),
		cmocka_unit_test(without_a_demangler_names_stay_as_they_are),
		cmocka_unit_test(a_function_is_found_with_both_of_its_names),
		cmocka_unit_test(where_nothing_is_known_there_are_no_frames),
		cmocka_unit_test(a_file_without_debug_information_has_no_source),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
