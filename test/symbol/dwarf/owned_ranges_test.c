#include "symbol/dwarf/owned_ranges.h"

#include "support/cmocka.h"

enum { NO_OWNER = -1 };

static int owner_at(const struct owned_ranges *ranges, uint64_t address)
{
	const struct owned_range *found = owned_ranges_find(ranges, address);

	return found ? (int)found->owner : NO_OWNER;
}

static void an_address_is_the_innermost_ranges(void **state)
{
	struct owned_ranges ranges = { 0 };

	(void)state;
	owned_ranges_add(&ranges, 0x200, 0x240, 3);
	owned_ranges_add(&ranges, 0x100, 0x300, 1);
	owned_ranges_add(&ranges, 0x120, 0x130, 2);
	owned_ranges_sort(&ranges);
	assert_int_equal(owner_at(&ranges, 0xff), NO_OWNER);
	assert_int_equal(owner_at(&ranges, 0x100), 1);
	assert_int_equal(owner_at(&ranges, 0x120), 2);
	assert_int_equal(owner_at(&ranges, 0x130), 1);
	assert_int_equal(owner_at(&ranges, 0x23f), 3);
	assert_int_equal(owner_at(&ranges, 0x240), 1);
	assert_int_equal(owner_at(&ranges, 0x300), NO_OWNER);
	owned_ranges_fini(&ranges);
}

static void of_ranges_that_begin_together_the_first_owners_is_found(void **state)
{
	struct owned_ranges ranges = { 0 };

	(void)state;
	owned_ranges_add(&ranges, 0x100, 0x200, 7);
	owned_ranges_add(&ranges, 0x100, 0x110, 5);
	owned_ranges_sort(&ranges);
	assert_int_equal(owner_at(&ranges, 0x10f), 5);
	assert_int_equal(owner_at(&ranges, 0x110), 7);
	owned_ranges_fini(&ranges);
}

static void a_cleared_range_has_no_owner(void **state)
{
	struct owned_ranges ranges = { 0 };

	(void)state;
	owned_ranges_sort(&ranges);
	assert_int_equal(owner_at(&ranges, 0x100), NO_OWNER);
	owned_ranges_add(&ranges, 0x100, 0x200, 1);
	owned_ranges_sort(&ranges);
	owned_ranges_clear(&ranges);
	assert_int_equal(owner_at(&ranges, 0x100), NO_OWNER);
	owned_ranges_fini(&ranges);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(an_address_is_the_innermost_ranges),
		cmocka_unit_test(of_ranges_that_begin_together_the_first_owners_is_found),
		cmocka_unit_test(a_cleared_range_has_no_owner),
	};

	return cmocka_run_group_tests_name("symbol/dwarf/owned_ranges", tests, NULL, NULL);
}
