#include "symbol/dwarf/unit_ranges.h"

#include "support/cmocka.h"
#include "support/compiled_units.h"
#include "support/dwarf_builder.h"
#include "support/opened_dwarf.h"

struct fixture {
	struct opened_dwarf dwarf;
	struct unit_ranges ranges;
};

static void open_fixture(struct fixture *fixture, struct elf_file *elf)
{
	fixture->ranges = (struct unit_ranges){ .knows_all = false };
	opened_dwarf_open(&fixture->dwarf, elf);
	unit_ranges_read(&fixture->ranges, &fixture->dwarf.context);
}

static void close_fixture(struct fixture *fixture)
{
	unit_ranges_fini(&fixture->ranges);
	opened_dwarf_close(&fixture->dwarf);
}

static void an_address_is_in_the_unit_whose_range_has_it(void **state)
{
	static const struct compiled_unit units[] = { { 0x3000, 0x3010 },
						      { 0x1000, 0x1010 },
						      { 0x1010, 0x1020 } };
	struct fixture fixture;

	(void)state;
	open_fixture(&fixture, compiled_units_open(units, 3));
	assert_int_equal(unit_ranges_find(&fixture.ranges, 0xfff), UNIT_RANGES_NONE);
	assert_int_equal(unit_ranges_find(&fixture.ranges, 0x1000), 1);
	assert_int_equal(unit_ranges_find(&fixture.ranges, 0x100f), 1);
	assert_int_equal(unit_ranges_find(&fixture.ranges, 0x1010), 2);
	assert_int_equal(unit_ranges_find(&fixture.ranges, 0x1020), UNIT_RANGES_NONE);
	assert_int_equal(unit_ranges_find(&fixture.ranges, 0x3000), 0);
	assert_int_equal(unit_ranges_find(&fixture.ranges, 0x3010), UNIT_RANGES_NONE);
	assert_int_equal(unit_ranges_find(&fixture.ranges, UINT64_MAX), UNIT_RANGES_NONE);
	assert_false(fixture.ranges.knows_all);
	close_fixture(&fixture);
}

static void of_overlapping_units_the_one_that_begins_last_counts(void **state)
{
	static const struct compiled_unit units[] = { { 0x1000, 0x2000 },
						      { 0x1100, 0x1200 },
						      { 0x1150, 0x1160 } };
	struct fixture fixture;

	(void)state;
	open_fixture(&fixture, compiled_units_open(units, 3));
	assert_int_equal(unit_ranges_find(&fixture.ranges, 0x10ff), 0);
	assert_int_equal(unit_ranges_find(&fixture.ranges, 0x1100), 1);
	assert_int_equal(unit_ranges_find(&fixture.ranges, 0x1150), 2);
	assert_int_equal(unit_ranges_find(&fixture.ranges, 0x1160), 1);
	assert_int_equal(unit_ranges_find(&fixture.ranges, 0x1200), 0);
	close_fixture(&fixture);
}

static void of_units_that_begin_together_the_first_one_counts(void **state)
{
	static const struct compiled_unit units[] = { { 0x1000, 0x1010 },
						      { 0x1000, 0x1010 },
						      { 0x1000, 0x1020 } };
	struct fixture fixture;

	(void)state;
	open_fixture(&fixture, compiled_units_open(units, 3));
	assert_int_equal(unit_ranges_find(&fixture.ranges, 0x1008), 0);
	assert_int_equal(unit_ranges_find(&fixture.ranges, 0x1018), 2);
	close_fixture(&fixture);
}

static void what_the_linker_left_out_is_nowhere(void **state)
{
	static const struct compiled_unit units[] = { { 0, 0x2000 }, { 0x1000, 0x1010 } };
	struct fixture fixture;

	(void)state;
	open_fixture(&fixture, compiled_units_open(units, 2));
	assert_int_equal(unit_ranges_find(&fixture.ranges, 0x10), UNIT_RANGES_NONE);
	assert_int_equal(unit_ranges_find(&fixture.ranges, 0x1008), 1);
	assert_int_equal(unit_ranges_find(&fixture.ranges, 0x1010), UNIT_RANGES_NONE);
	close_fixture(&fixture);
}

static void units_that_do_not_say_where_they_are_are_found_by_their_functions(void **state)
{
	const struct dwarf_recipe recipe = { .version = 5, .offset_size = 4, .no_unit_ranges = true };
	struct fixture fixture;

	(void)state;
	open_fixture(&fixture, dwarf_builder_open(&recipe));
	assert_int_equal(unit_ranges_find(&fixture.ranges, 0x1000), UNIT_RANGES_NONE);
	unit_ranges_read_others(&fixture.ranges, &fixture.dwarf.context);
	assert_true(fixture.ranges.knows_all);
	assert_int_equal(unit_ranges_find(&fixture.ranges, 0xfff), UNIT_RANGES_NONE);
	assert_int_equal(unit_ranges_find(&fixture.ranges, 0x1000), 0);
	assert_int_equal(unit_ranges_find(&fixture.ranges, 0x100f), 0);
	assert_int_equal(unit_ranges_find(&fixture.ranges, 0x1010), UNIT_RANGES_NONE);
	close_fixture(&fixture);
}

static void units_that_say_where_they_are_are_not_asked_again(void **state)
{
	static const struct compiled_unit units[] = { { 0x1000, 0x1010 } };
	struct fixture fixture;

	(void)state;
	open_fixture(&fixture, compiled_units_open(units, 1));
	unit_ranges_read_others(&fixture.ranges, &fixture.dwarf.context);
	assert_int_equal(fixture.ranges.said.count, 1);
	assert_int_equal(unit_ranges_find(&fixture.ranges, 0x1008), 0);
	close_fixture(&fixture);
}

static void without_units_every_address_is_in_none(void **state)
{
	const struct unit_ranges ranges = { .knows_all = false };

	(void)state;
	assert_int_equal(unit_ranges_find(&ranges, 0x1000), UNIT_RANGES_NONE);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(an_address_is_in_the_unit_whose_range_has_it),
		cmocka_unit_test(of_overlapping_units_the_one_that_begins_last_counts),
		cmocka_unit_test(of_units_that_begin_together_the_first_one_counts),
		cmocka_unit_test(what_the_linker_left_out_is_nowhere),
		cmocka_unit_test(units_that_do_not_say_where_they_are_are_found_by_their_functions),
		cmocka_unit_test(units_that_say_where_they_are_are_not_asked_again),
		cmocka_unit_test(without_units_every_address_is_in_none),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
