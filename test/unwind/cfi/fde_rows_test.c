#include "unwind/cfi/fde_rows.h"

#include "support/cmocka.h"

static void rule_holds_from_its_row_to_the_next(void **state)
{
	static const struct fde_row added[] = { { 0, 7 }, { 4, 8 }, { 65535, 65535 } };
	struct fde_rows *rows = fde_rows_create(3);

	(void)state;
	assert_false(fde_rows_has(rows, 1));
	fde_rows_put(rows, 1, 0, added, 3);
	assert_true(fde_rows_has(rows, 1));
	assert_false(fde_rows_has(rows, 2));
	assert_int_equal(fde_rows_find(rows, 1, 0), 7);
	assert_int_equal(fde_rows_find(rows, 1, 3), 7);
	assert_int_equal(fde_rows_find(rows, 1, 4), 8);
	assert_int_equal(fde_rows_find(rows, 1, 65534), 8);
	assert_int_equal(fde_rows_find(rows, 1, 65535), 65535);
	assert_int_equal(fde_rows_find(rows, 1, 1u << 20), 65535);
	fde_rows_destroy(rows);
}

static void single_row_takes_its_slot_alone(void **state)
{
	struct fde_rows *rows = fde_rows_create(2);
	size_t before = fde_rows_bytes(rows);

	(void)state;
	fde_rows_put(rows, 0, 65535, &(struct fde_row){ 0, 32767 }, 1);
	assert_int_equal(fde_rows_find(rows, 0, 12345), 32767);
	assert_int_equal(fde_rows_size(rows, 0), 65535);
	assert_int_equal(fde_rows_bytes(rows) - before, 4);
	fde_rows_destroy(rows);
}

static void several_rows_take_four_bytes_each_and_the_slot(void **state)
{
	static const struct fde_row added[] = { { 0, 7 }, { 4, 8 }, { 9, 7 } };
	struct fde_rows *rows = fde_rows_create(2);
	size_t before = fde_rows_bytes(rows);

	(void)state;
	fde_rows_put(rows, 1, 65535, added, 3);
	assert_int_equal(fde_rows_bytes(rows) - before, 16);
	fde_rows_destroy(rows);
}

static void others_are_forgotten_when_there_is_no_more_room(void **state)
{
	enum { ROWS = 126, FITTING = (1 << 24) / ROWS };
	static struct fde_row added[ROWS];
	struct fde_rows *rows = fde_rows_create(FITTING + 1);

	(void)state;
	for (uint32_t i = 0; i < ROWS; i++)
		added[i] = (struct fde_row){ 4 * (uint64_t)i, i };
	for (uint32_t fde = 0; fde < FITTING; fde++)
		fde_rows_put(rows, fde, 8, added, ROWS);
	assert_int_equal(fde_rows_find(rows, 0, 4), 1);
	assert_int_equal(fde_rows_find(rows, FITTING - 1, 4), 1);
	fde_rows_put(rows, FITTING, 8, added, ROWS);
	assert_false(fde_rows_has(rows, 0));
	assert_false(fde_rows_has(rows, FITTING - 1));
	assert_int_equal(fde_rows_find(rows, FITTING, 4), 1);
	assert_int_equal(fde_rows_fde_count(rows), 1);
	assert_int_equal(fde_rows_row_count(rows), ROWS);
	fde_rows_destroy(rows);
}

static void size_is_told_where_there_is_room_for_it(void **state)
{
	static const struct fde_row added[] = { { 0, 7 }, { 4, 8 } };
	static const struct fde_row wide[] = { { 0, 7 }, { 70000, 8 } };
	struct fde_rows *rows = fde_rows_create(7);

	(void)state;
	fde_rows_put(rows, 0, 65536, added, 1);
	fde_rows_put(rows, 1, 65535, added, 2);
	fde_rows_put(rows, 2, 65536, added, 2);
	fde_rows_put(rows, 3, 0xffffffff, wide, 2);
	fde_rows_put(rows, 4, 12, &(struct fde_row){ 0, 32768 }, 1);
	assert_int_equal(fde_rows_size(rows, 0), 0);
	fde_rows_put(rows, 6, 0x100000000, wide, 2);
	assert_int_equal(fde_rows_size(rows, 1), 65535);
	assert_int_equal(fde_rows_size(rows, 2), 65536);
	assert_int_equal(fde_rows_size(rows, 3), 0xffffffff);
	assert_int_equal(fde_rows_size(rows, 4), 12);
	assert_int_equal(fde_rows_size(rows, 5), 0);
	assert_int_equal(fde_rows_find(rows, 0, 65535), 7);
	assert_int_equal(fde_rows_find(rows, 1, 4), 8);
	assert_int_equal(fde_rows_find(rows, 2, 65535), 8);
	assert_int_equal(fde_rows_size(rows, 6), 0);
	assert_int_equal(fde_rows_find(rows, 6, 70000), 8);
	assert_int_equal(fde_rows_find(rows, 3, 69999), 7);
	assert_int_equal(fde_rows_find(rows, 4, 11), 32768);
	fde_rows_destroy(rows);
}

static void rows_may_be_many(void **state)
{
	enum { MOST = 128 }; /* the slot counts up to 126 */
	static struct fde_row added[MOST];

	(void)state;
	for (uint32_t i = 0; i < MOST; i++)
		added[i] = (struct fde_row){ 4 * (uint64_t)i, i };
	for (uint32_t count = MOST - 2; count <= MOST; count++) {
		struct fde_rows *rows = fde_rows_create(2);

		fde_rows_put(rows, 0, 4 * MOST, added, count);
		fde_rows_put(rows, 1, 8, added, 2);
		for (uint32_t i = 0; i < count; i++)
			assert_int_equal(fde_rows_find(rows, 0, 4 * (uint64_t)i + 3), i);
		assert_int_equal(fde_rows_find(rows, 0, 4 * MOST), count - 1);
		assert_int_equal(fde_rows_size(rows, 0), 4 * MOST);
		assert_int_equal(fde_rows_find(rows, 1, 4), 1);
		fde_rows_destroy(rows);
	}
}

static void large_numbers_make_wide_rows(void **state)
{
	static const struct fde_row far_away[] = { { 0, 1 }, { 70000, 2 } };
	static const struct fde_row many_rules[] = { { 0, 1 }, { 4, 65536 } };
	struct fde_rows *rows = fde_rows_create(2);

	(void)state;
	fde_rows_put(rows, 0, 0, far_away, 2);
	fde_rows_put(rows, 1, 0, many_rules, 2);
	assert_int_equal(fde_rows_find(rows, 0, 69999), 1);
	assert_int_equal(fde_rows_find(rows, 0, 70000), 2);
	assert_int_equal(fde_rows_find(rows, 1, 3), 1);
	assert_int_equal(fde_rows_find(rows, 1, 4), 65536);
	assert_int_equal(fde_rows_row_count(rows), 4);
	assert_int_equal(fde_rows_fde_count(rows), 2);
	fde_rows_destroy(rows);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(rule_holds_from_its_row_to_the_next),
		cmocka_unit_test(single_row_takes_its_slot_alone),
		cmocka_unit_test(several_rows_take_four_bytes_each_and_the_slot),
		cmocka_unit_test(large_numbers_make_wide_rows),
		cmocka_unit_test(size_is_told_where_there_is_room_for_it),
		cmocka_unit_test(rows_may_be_many),
		cmocka_unit_test(others_are_forgotten_when_there_is_no_more_room),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
