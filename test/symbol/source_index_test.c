#include "symbol/source_index.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/strbuf.h"
#include "support/cmocka.h"
#include "support/dwarf_builder.h"
#include "support/elf_copy.h"

static const struct debug_file_search nowhere = { .symfs = "/nonexistent" };

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

/* Whatever byte is wrong, and wherever the file ends, nothing worse than a wrong answer comes out. */
static void damage_is_survived(void **state)
{
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
		cmocka_unit_test(damage_is_survived),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
