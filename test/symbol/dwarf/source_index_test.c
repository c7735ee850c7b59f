#include "symbol/dwarf/source_index.h"

#include <elf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/strbuf.h"
#include "base/xalloc.h"
#include "support/cmocka.h"
#include "support/compiled_units.h"
#include "support/dwarf_builder.h"
#include "support/elf_copy.h"
#include "symbol/dwarf/source_answers.h"

static const struct debug_file_search nowhere = { .symfs = "/proc/nonexistent" };

struct fixture {
	struct elf_file *elf;
	struct source_index *index;
	struct strbuf text;
};

static void open_fixture(struct fixture *fixture, const struct dwarf_recipe *recipe)
{
	fixture->elf = dwarf_builder_open(recipe);
	fixture->index = source_index_open(fixture->elf, NULL, &nowhere, NULL);
	assert_non_null(fixture->index);
	strbuf_init(&fixture->text);
}

static void close_fixture(struct fixture *fixture)
{
	source_index_close(fixture->index);
	elf_file_close(fixture->elf);
	strbuf_fini(&fixture->text);
}

/* "inner /build/inc/unit.h:2 < outer /build/unit.c:7" */
static void assert_source(struct fixture *fixture, uint64_t vaddr, const char *expected)
{
	const struct source_frame *frames;
	size_t count = source_index_find(fixture->index, vaddr, &frames);

	strbuf_reset(&fixture->text);
	for (size_t i = 0; i < count; i++)
		strbuf_addf(&fixture->text, "%s%s %s:%u", i ? " < " : "",
			    frames[i].function ? frames[i].function : "?",
			    frames[i].file ? frames[i].file : "?", frames[i].line);
	assert_string_equal(fixture->text.bytes, expected);
}

#define INLINED "inner /build/inc/unit.h:2 < outer /build/unit.c:7"

static void assert_all(struct fixture *fixture)
{
	assert_source(fixture, 0xfff, "");
	assert_source(fixture, 0x1000, "outer /build/unit.c:5");
	assert_source(fixture, 0x1003, "outer /build/unit.c:5");
	assert_source(fixture, 0x1004, INLINED);
	assert_source(fixture, 0x1007, INLINED);
	assert_source(fixture, 0x1008, "outer /build/unit.c:6");
	assert_source(fixture, 0x100d, INLINED);
	assert_source(fixture, 0x100e, "outer /build/unit.c:9");
	assert_source(fixture, 0x1010, "");
}

static void all_versions_widths_and_byte_orders_say_the_same(void **state)
{
	(void)state;
	for (uint8_t version = 2; version <= 5; version++) {
		for (int i = 0; i < 4; i++) {
			struct dwarf_recipe recipe = { .version = version,
						       .offset_size = i & 1 ? 8 : 4,
						       .swap = i & 2 };
			struct fixture fixture;

			open_fixture(&fixture, &recipe);
			assert_all(&fixture);
			close_fixture(&fixture);
		}
	}
}

static void asking_for_many_at_once_gives_the_same_answers(void **state)
{
	static const uint64_t vaddrs[] = { 0x1010, 0x1005, 0x1005, 0x1000, 0xfff, 0x1009, 0x100d };
	struct fixture fixture;

	(void)state;
	open_fixture(&fixture, &(struct dwarf_recipe){ .version = 5, .offset_size = 4 });
	source_index_prepare(fixture.index, vaddrs, sizeof(vaddrs) / sizeof(vaddrs[0]));
	assert_all(&fixture);
	close_fixture(&fixture);
}

static void a_cycle_of_origins_leaves_a_function_without_a_name(void **state)
{
	struct fixture fixture;

	(void)state;
	open_fixture(&fixture, &(struct dwarf_recipe){ .version = 4, .offset_size = 4, .cycle = true });
	assert_source(&fixture, 0x1005, "? /build/inc/unit.h:2 < outer /build/unit.c:7");
	close_fixture(&fixture);
}

static void a_unit_that_does_not_say_where_it_is_is_found_by_its_functions(void **state)
{
	struct fixture fixture;

	(void)state;
	open_fixture(&fixture,
		     &(struct dwarf_recipe){ .version = 4, .offset_size = 4, .no_unit_ranges = true });
	assert_all(&fixture);
	close_fixture(&fixture);
}

static void a_file_without_debug_information_has_no_index(void **state)
{
	struct elf_builder builder;
	struct elf_file *elf;

	(void)state;
	elf_builder_init(&builder, true, false, 3, 62);
	elf = elf_builder_open(&builder, "bare");
	assert_null(source_index_open(elf, NULL, &nowhere, NULL));
	elf_file_close(elf);
}

static void functions_are_found_by_their_addresses(void **state)
{
	struct source_function function;
	struct fixture fixture;

	(void)state;
	open_fixture(&fixture, &(struct dwarf_recipe){ .version = 5, .offset_size = 4 });
	assert_int_equal(source_index_find_function(fixture.index, 0x100d, &function), 1);
	assert_string_equal(function.name, "outer");
	assert_int_equal(function.low, 0x1000);
	assert_int_equal(function.high, 0x1010);
	assert_int_equal(source_index_find_function(fixture.index, 0x1010, &function), 0);
	close_fixture(&fixture);
}

static void what_was_answered_is_not_asked_again(void **state)
{
	static const uint64_t vaddrs[] = { 0x1000, 0x1004 };
	struct fixture fixture;

	(void)state;
	open_fixture(&fixture, &(struct dwarf_recipe){ .version = 5, .offset_size = 4 });
	assert_source(&fixture, 0x1004, INLINED);
	source_index_prepare(fixture.index, vaddrs, 2);
	assert_source(&fixture, 0x1000, "outer /build/unit.c:5");
	source_index_prepare(fixture.index, vaddrs, 2);
	assert_all(&fixture);
	close_fixture(&fixture);
}

/* --- parts that are missing ------------------------------------------------------------------------------ */

static void assert_missing(const struct source_index *index, size_t expected)
{
	const char *why;

	assert_int_equal(source_index_missing(index, &why), expected);
	assert_string_equal(
		why,
		expected ? "cannot open /proc/nonexistent/build/lost.dwo: No such file or directory" : "");
}

static void units_whose_rest_is_missing_are_counted(void **state)
{
	static const struct compiled_unit units[] = { { 0x1000, 0x1010 },
						      { 0x2000, 0x2010 },
						      { 0x3000, 0x3010 } };
	static const uint64_t vaddrs[] = { 0x2008, 0x1008, 0x1009 };
	struct elf_file *elf = compiled_units_open_split(units, 3, "/build/lost.dwo");
	struct source_index *index = source_index_open(elf, NULL, &nowhere, NULL);
	const struct source_frame *frames;

	(void)state;
	assert_missing(index, 0);
	source_index_prepare(index, vaddrs, 3);
	assert_missing(index, 2);
	assert_int_equal(source_index_find(index, 0x3008, &frames), 0);
	assert_missing(index, 3);
	assert_int_equal(source_index_find(index, 0x3009, &frames), 0);
	assert_missing(index, 3);
	source_index_close(index);
	elf_file_close(elf);
}

/* --- answers that are kept ------------------------------------------------------------------------------- */

static void answers_that_were_found_before_are_all_there_is(void **state)
{
	const struct unit_frame *none = NULL;
	struct source_answers answers;
	struct fixture fixture = { .elf = NULL };
	struct unit_frame frame;

	(void)state;
	source_answers_init(&answers);
	frame = (struct unit_frame){ str_pool_add(answers.texts, "f"), str_pool_add(answers.texts, "/a.c"),
				     3 };
	source_answers_add(&answers, 0x1000, &frame, 1);
	source_answers_add(&answers, 0x2000, none, 0);
	fixture.index = source_index_of_answers(&answers);
	strbuf_init(&fixture.text);
	assert_source(&fixture, 0x1000, "f /a.c:3");
	assert_source(&fixture, 0x2000, "");
	assert_source(&fixture, 0x1001, "");
	assert_missing(fixture.index, 0);
	close_fixture(&fixture);
}

enum { LARGE_BYTES = 5 << 20 };

/* The debug file TREE/debug of that size, as dwarf_builder makes it or, if damaged, without its debug information. */
static struct elf_file *open_debug_file(const struct temp_tree *tree, size_t total_bytes, bool is_damaged)
{
	const struct dwarf_recipe recipe = { .version = 5, .offset_size = 4 };
	char *path = xasprintf("%s/debug", tree->root);
	uint8_t *bytes = xcalloc(1, total_bytes), *made, *info;
	struct elf_file *elf;
	size_t size;

	made = dwarf_builder_make(&recipe, &size);
	memcpy(bytes, made, size);
	free(made);
	if (!is_damaged)
		temp_tree_bytes(tree, "debug", bytes, total_bytes);
	info = memmem(bytes, size, "unit.c", 6); /* in the first entry */
	assert_non_null(info);
	if (is_damaged)
		memset(info - 16, 0, 32);
	elf = elf_file_open_memory(bytes, total_bytes, path, NULL);
	assert_non_null(elf);
	free(path);
	return elf;
}

static struct elf_file *open_binary(void)
{
	struct elf_builder builder;
	uint32_t code;

	elf_builder_init(&builder, true, false, ET_DYN, EM_X86_64);
	code = elf_builder_section(&builder, ".text", SHT_PROGBITS, SHF_ALLOC | SHF_EXECINSTR, 0x1000,
				   "0123456789abcdef", 16);
	elf_builder_code_segment(&builder, code);
	elf_builder_build_id(&builder, (const uint8_t *)"\xab\xcd", 2);
	return elf_builder_open(&builder, "/bin/program");
}

/* Checks the answer for 0x1004 with answers cached in TREE/cache. */
static void assert_with_cache(const struct temp_tree *tree, size_t debug_bytes, bool is_damaged,
			      const char *expected)
{
	struct elf_file *debug = open_debug_file(tree, debug_bytes, is_damaged);
	char *cache = xasprintf("%s/cache", tree->root);
	struct fixture fixture = { .elf = open_binary() };

	fixture.index = source_index_open(fixture.elf, debug, &nowhere, cache);
	assert_non_null(fixture.index);
	strbuf_init(&fixture.text);
	assert_source(&fixture, 0x1004, expected);
	close_fixture(&fixture);
	elf_file_close(debug);
	free(cache);
}

static void answers_from_a_large_file_are_kept_for_the_next_time(void **state)
{
	assert_with_cache(*state, LARGE_BYTES, false, INLINED);
	assert_with_cache(*state, LARGE_BYTES, true, INLINED);
}

static void those_from_a_small_one_are_not(void **state)
{
	assert_with_cache(*state, 1 << 20, false, INLINED);
	assert_with_cache(*state, 1 << 20, true, "");
}

/* Any wrong byte, and any truncation, gives nothing worse than a wrong answer. */
/* Makes each byte wrong in turn. When all are right again, answers are right, too. */
static void damage_is_survived(void **state)
{
	struct fixture fixture;
	struct dwarf_recipe recipe = { .version = 5, .offset_size = 4 };
	size_t size;
	uint8_t *whole = dwarf_builder_make(&recipe, &size);

	(void)state;
	for (size_t at = 0; at < size; at++) {
		static const uint8_t wrong[] = { 0x00, 0x7f, 0x80, 0xff };

		const uint8_t right = whole[at];

		for (size_t i = 0; i < sizeof(wrong); i++) {
			struct source_index *index;
			struct elf_file *elf;

			whole[at] = wrong[i];
			elf = elf_copy_open(whole, size, "damaged", NULL);
			index = elf ? source_index_open(elf, NULL, &nowhere, NULL) : NULL;
			for (uint64_t vaddr = 0xffe; index && vaddr < 0x1012; vaddr++) {
				const struct source_frame *frames;

				(void)source_index_find(index, vaddr, &frames);
			}
			source_index_close(index);
			elf_file_close(elf);
		}
		whole[at] = right;
	}
	fixture.elf = elf_copy_open(whole, size, "whole", NULL);
	fixture.index = source_index_open(fixture.elf, NULL, &nowhere, NULL);
	strbuf_init(&fixture.text);
	assert_all(&fixture);
	close_fixture(&fixture);
	free(whole);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(all_versions_widths_and_byte_orders_say_the_same),
		cmocka_unit_test(asking_for_many_at_once_gives_the_same_answers),
		cmocka_unit_test(a_cycle_of_origins_leaves_a_function_without_a_name),
		cmocka_unit_test(a_unit_that_does_not_say_where_it_is_is_found_by_its_functions),
		cmocka_unit_test(a_file_without_debug_information_has_no_index),
		cmocka_unit_test(functions_are_found_by_their_addresses),
		cmocka_unit_test(what_was_answered_is_not_asked_again),
		cmocka_unit_test(units_whose_rest_is_missing_are_counted),
		cmocka_unit_test(answers_that_were_found_before_are_all_there_is),
		cmocka_unit_test_setup_teardown(answers_from_a_large_file_are_kept_for_the_next_time,
						temp_tree_set_up, temp_tree_tear_down),
		cmocka_unit_test_setup_teardown(those_from_a_small_one_are_not, temp_tree_set_up,
						temp_tree_tear_down),
		cmocka_unit_test(damage_is_survived),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
