#include "symbol/dwarf/unit_reader.h"

#include <elf.h>

#include "support/cmocka.h"
#include "support/compiled_units.h"
#include "support/elf_builder.h"
#include "support/opened_dwarf.h"

static const struct dwarf_unit small = { .size_bytes = 100 }, large = { .size_bytes = 10 << 20 };

struct fixture {
	struct opened_dwarf dwarf;
	struct unit_reader reader;
};

static void open_fixture(struct fixture *fixture, struct elf_file *elf)
{
	opened_dwarf_open(&fixture->dwarf, elf);
	fixture->reader = (struct unit_reader){ .file = fixture->dwarf.file };
}

static int set_up(void **state)
{
	static const struct compiled_unit unit = { 0x1000, 0x1010 };
	static struct fixture fixture;

	open_fixture(&fixture, compiled_units_open(&unit, 1));
	*state = &fixture;
	return 0;
}

static int tear_down(void **state)
{
	struct fixture *fixture = *state;

	dwarf_handle_close(&fixture->reader.handle);
	opened_dwarf_close(&fixture->dwarf);
	return 0;
}

static void what_is_taken_is_held(void **state)
{
	struct unit_reader *reader = &((struct fixture *)*state)->reader;

	unit_reader_take(reader, &small);
	assert_non_null(reader->handle.dwarf);
	assert_int_equal(reader->held_bytes, 100);
	unit_reader_take(reader, &large);
	assert_int_equal(reader->held_bytes, 100 + (10 << 20));
}

static void there_is_room_up_to_a_limit(void **state)
{
	struct unit_reader *reader = &((struct fixture *)*state)->reader;

	unit_reader_take(reader, &small);
	assert_true(unit_reader_has_room(reader, &small, 200));
	assert_false(unit_reader_has_room(reader, &small, 199));
}

static void what_holds_nothing_has_room_for_any_unit(void **state)
{
	struct unit_reader *reader = &((struct fixture *)*state)->reader;

	assert_true(unit_reader_has_room(reader, &large, 1));
}

static void room_is_made_by_forgetting_all(void **state)
{
	struct unit_reader *reader = &((struct fixture *)*state)->reader;

	unit_reader_make_room(reader, &large);
	unit_reader_make_room(reader, &small);
	assert_int_equal(reader->held_bytes, (10 << 20) + 100);
	unit_reader_make_room(reader, &large); /* more than 16 MiB in total */
	assert_non_null(reader->handle.dwarf);
	assert_int_equal(reader->held_bytes, 10 << 20);
}

static void a_file_without_debug_information_cannot_be_read(void **state)
{
	struct elf_builder builder;
	struct fixture fixture;

	(void)state;
	elf_builder_init(&builder, true, false, ET_DYN, EM_X86_64);
	open_fixture(&fixture, elf_builder_open(&builder, "bare"));
	unit_reader_make_room(&fixture.reader, &small);
	assert_null(fixture.reader.handle.dwarf);
	assert_true(unit_reader_has_room(&fixture.reader, &large, 1));
	(void)tear_down(&(void *){ &fixture });
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(what_is_taken_is_held),
		TEST(there_is_room_up_to_a_limit),
		TEST(what_holds_nothing_has_room_for_any_unit),
		TEST(room_is_made_by_forgetting_all),
		cmocka_unit_test(a_file_without_debug_information_cannot_be_read),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
