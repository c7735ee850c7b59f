#include "profile/slot_counts.h"

#include "support/cmocka.h"

static void slots_come_in_any_order(void **state)
{
	struct slot_counts counts = { 0 };

	(void)state;
	slot_counts_add(&counts, 100);
	slot_counts_add(&counts, 103);
	slot_counts_add(&counts, 98);
	slot_counts_add(&counts, 100);
	assert_int_equal(counts.first, 98);
	assert_int_equal(counts.count, 6);
	for (size_t i = 0; i < 6; i++)
		assert_int_equal(counts.items[i], ((const uint32_t[]){ 1, 0, 2, 0, 0, 1 })[i]);
	slot_counts_fini(&counts);
}

static void the_number_of_slots_is_known_before_one_is_added(void **state)
{
	struct slot_counts counts = { 0 };

	(void)state;
	assert_int_equal(slot_counts_with(&counts, 7), 1);
	slot_counts_add(&counts, 7);
	assert_int_equal(slot_counts_with(&counts, 7), 1);
	assert_int_equal(slot_counts_with(&counts, 9), 3);
	assert_int_equal(slot_counts_with(&counts, 2), 6);
	assert_int_equal(slot_counts_with(&counts, UINT64_MAX), UINT64_MAX - 6);
	slot_counts_fini(&counts);
}

static void many_slots_to_both_sides(void **state)
{
	struct slot_counts counts = { 0 };

	(void)state;
	for (uint64_t i = 0; i < 5000; i++) {
		slot_counts_add(&counts, 10000 + i);
		slot_counts_add(&counts, 10000 - i);
	}
	assert_int_equal(counts.first, 5001);
	assert_int_equal(counts.count, 9999);
	for (size_t i = 0; i < counts.count; i++)
		assert_int_equal(counts.items[i], i == 4999 ? 2 : 1);
	slot_counts_fini(&counts);
}

/* Slots begin at multiples of their length: 98 and 99 are the coarse slot 9. */
static void coarser_slots_are_sums(void **state)
{
	struct slot_counts counts = { 0 };

	(void)state;
	for (uint64_t slot = 98; slot < 112; slot++)
		slot_counts_add(&counts, slot);
	slot_counts_coarsen(&counts, 10);
	assert_int_equal(counts.first, 9);
	assert_int_equal(counts.count, 3);
	for (size_t i = 0; i < 3; i++)
		assert_int_equal(counts.items[i], ((const uint32_t[]){ 2, 10, 2 })[i]);
	slot_counts_add(&counts, 8);
	assert_int_equal(counts.count, 4);
	slot_counts_fini(&counts);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(slots_come_in_any_order),
		cmocka_unit_test(the_number_of_slots_is_known_before_one_is_added),
		cmocka_unit_test(many_slots_to_both_sides),
		cmocka_unit_test(coarser_slots_are_sums),
	};

	return cmocka_run_group_tests_name("profile/slot_counts", tests, NULL, NULL);
}
