#include "symbol/dwarf/dwarf_ranges.h"

#include "support/cmocka.h"
#include "support/compiled_units.h"
#include "support/dwarf_builder.h"
#include "support/opened_dwarf.h"

struct fixture {
	struct opened_dwarf dwarf;
	struct dwarf_ranges ranges;
};

static void open_fixture(struct fixture *fixture, struct elf_file *elf)
{
	fixture->ranges = (struct dwarf_ranges){ .items = NULL };
	opened_dwarf_open(&fixture->dwarf, elf);
	fixture->ranges.budget = dwarf_ranges_budget(dwarf_file_sections(fixture->dwarf.file));
}

static void close_fixture(struct fixture *fixture)
{
	dwarf_ranges_fini(&fixture->ranges);
	opened_dwarf_close(&fixture->dwarf);
}

static void add_unit(struct fixture *fixture, size_t number)
{
	Dwarf_Die entry;

	assert_non_null(dwarf_offdie(fixture->dwarf.handle.dwarf,
				     dwarf_file_unit(fixture->dwarf.file, number)->entry, &entry));
	dwarf_ranges_add(&fixture->ranges, &entry);
}

static void assert_range(const struct dwarf_ranges *ranges, size_t number, uint64_t low, uint64_t high)
{
	assert_true(number < ranges->count);
	assert_int_equal(ranges->items[number].low, low);
	assert_int_equal(ranges->items[number].high, high);
}

static void ranges_of_several_entries_come_one_behind_the_other(void **state)
{
	static const struct compiled_unit units[] = { { 0x2000, 0x2010 }, { 0x1000, 0x1010 } };
	struct fixture fixture;

	(void)state;
	open_fixture(&fixture, compiled_units_open(units, 2));
	add_unit(&fixture, 0);
	add_unit(&fixture, 1);
	add_unit(&fixture, 0);
	assert_int_equal(fixture.ranges.count, 3);
	assert_range(&fixture.ranges, 0, 0x2000, 0x2010);
	assert_range(&fixture.ranges, 1, 0x1000, 0x1010);
	assert_range(&fixture.ranges, 2, 0x2000, 0x2010);
	close_fixture(&fixture);
}

static void ranges_without_a_byte_are_left_out(void **state)
{
	static const struct compiled_unit units[] = { { 0x1000, 0x1000 },
						      { 0x2000, 0x1000 },
						      { 0x1000, 0x1001 } };
	struct fixture fixture;

	(void)state;
	open_fixture(&fixture, compiled_units_open(units, 3));
	for (size_t i = 0; i < 3; i++)
		add_unit(&fixture, i);
	assert_int_equal(fixture.ranges.count, 1);
	assert_range(&fixture.ranges, 0, 0x1000, 0x1001);
	close_fixture(&fixture);
}

/* The entry of inner() in outer(), the last entry of the unit. */
static Dwarf_Die inlined_entry(struct fixture *fixture)
{
	Dwarf_Die unit, function, inlined;

	assert_non_null(dwarf_offdie(fixture->dwarf.handle.dwarf,
				     dwarf_file_unit(fixture->dwarf.file, 0)->entry, &unit));
	assert_int_equal(dwarf_child(&unit, &function), 0);
	assert_int_equal(dwarf_siblingof(&function, &function), 0);
	assert_int_equal(dwarf_child(&function, &inlined), 0);
	return inlined;
}

static void lists_of_ranges_are_read_in_every_version(void **state)
{
	(void)state;
	for (uint8_t version = 2; version <= 5; version++) {
		const struct dwarf_recipe recipe = { .version = version, .offset_size = 4 };
		struct fixture fixture;
		Dwarf_Die inlined;

		open_fixture(&fixture, dwarf_builder_open(&recipe));
		inlined = inlined_entry(&fixture);
		dwarf_ranges_add(&fixture.ranges, &inlined);
		assert_int_equal(fixture.ranges.count, 2);
		assert_range(&fixture.ranges, 0, 0x1004, 0x1008);
		assert_range(&fixture.ranges, 1, 0x100c, 0x100e);
		close_fixture(&fixture);
	}
}

static void no_more_are_read_than_the_budget_has(void **state)
{
	const struct dwarf_recipe recipe = { .version = 5, .offset_size = 4 };
	struct fixture fixture;
	Dwarf_Die inlined;

	(void)state;
	open_fixture(&fixture, dwarf_builder_open(&recipe));
	inlined = inlined_entry(&fixture);
	fixture.ranges.budget = 3;
	dwarf_ranges_add(&fixture.ranges, &inlined);
	assert_int_equal(fixture.ranges.budget, 1);
	dwarf_ranges_add(&fixture.ranges, &inlined);
	dwarf_ranges_add(&fixture.ranges, &inlined);
	assert_int_equal(fixture.ranges.count, 3);
	assert_range(&fixture.ranges, 2, 0x1004, 0x1008);
	close_fixture(&fixture);
}

static void the_budget_is_what_entries_and_lists_can_mean(void **state)
{
	static const uint8_t bytes[100];
	const struct dwarf_sections sections = { .at = { [DWARF_INFO] = { bytes, 10 },
							 [DWARF_ABBREV] = { bytes, 20 },
							 [DWARF_RANGES] = { bytes, 30 },
							 [DWARF_RNGLISTS] = { bytes, 40 } } };

	(void)state;
	assert_int_equal(dwarf_ranges_budget(&sections), 10 + 30 + 40);
}

static void an_entry_may_have_no_code(void **state)
{
	const struct dwarf_recipe recipe = { .version = 5, .offset_size = 4, .no_unit_ranges = true };
	struct fixture fixture;

	(void)state;
	open_fixture(&fixture, dwarf_builder_open(&recipe));
	add_unit(&fixture, 0);
	assert_int_equal(fixture.ranges.count, 0);
	close_fixture(&fixture);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(ranges_of_several_entries_come_one_behind_the_other),
		cmocka_unit_test(ranges_without_a_byte_are_left_out),
		cmocka_unit_test(lists_of_ranges_are_read_in_every_version),
		cmocka_unit_test(no_more_are_read_than_the_budget_has),
		cmocka_unit_test(the_budget_is_what_entries_and_lists_can_mean),
		cmocka_unit_test(an_entry_may_have_no_code),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
