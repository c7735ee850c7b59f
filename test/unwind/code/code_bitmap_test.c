#include "unwind/code/code_bitmap.h"

#include "support/cmocka.h"

enum { VADDR = 0x1000, SIZE = 100 };

/* Asserts for each byte of a piece whether it is described. */
static void assert_described(struct code_range *ranges, size_t count, const char *expected)
{
	const size_t joined = code_ranges_join(ranges, count);
	struct code_bitmap *bitmap = code_bitmap_create(VADDR, SIZE, ranges, joined);
	size_t until = SIZE;

	for (size_t i = SIZE; i-- > 0;) {
		until = expected[i] == '.' ? i : until;
		assert_int_equal(code_bitmap_has(bitmap, i), expected[i] == '#');
		assert_int_equal(code_bitmap_until(bitmap, i), until);
	}
	assert_false(code_bitmap_has(bitmap, SIZE));
	assert_int_equal(code_bitmap_until(bitmap, SIZE), SIZE);
	code_bitmap_destroy(bitmap);
}

static void bytes_of_ranges_are_described(void **state)
{
	struct code_range ranges[] = {
		{ VADDR + 1, VADDR + 4 },   /* within one byte of the bitmap */
		{ VADDR + 8, VADDR + 16 },  /* all of one byte */
		{ VADDR + 22, VADDR + 50 }, /* over several bytes */
		{ VADDR + 50, VADDR + 53 }, /* adjacent to the one before */
	};

	(void)state;
	assert_described(ranges, sizeof(ranges) / sizeof(*ranges),
			 ".###....########......############################"
			 "###...............................................");
}

static void ranges_may_overlap_in_any_order_and_reach_beyond(void **state)
{
	struct code_range ranges[] = { { VADDR + 95, UINT64_MAX },  { VADDR + 40, VADDR + 60 },
				       { VADDR + 45, VADDR + 50 },  { 0, VADDR + 2 },
				       { VADDR + 55, VADDR + 65 },  { VADDR + 70, VADDR + 70 },
				       { VADDR + 80, VADDR + 75 },  { 0x10, 0x20 },
				       { VADDR + 99, VADDR + 101 }, { VADDR + 200, VADDR + 300 } };

	(void)state;
	assert_described(ranges, sizeof(ranges) / sizeof(*ranges),
			 "##......................................##########"
			 "###############..............................#####");
}

static void nothing_is_described_without_ranges(void **state)
{
	struct code_bitmap *bitmap = code_bitmap_create(VADDR, SIZE, NULL, 0);

	(void)state;
	assert_int_equal(code_ranges_join(NULL, 0), 0);
	assert_int_equal(code_bitmap_until(bitmap, 0), 0);
	assert_false(code_bitmap_has(bitmap, 0));
	code_bitmap_destroy(bitmap);
}

static void joined_ranges_are_apart(void **state)
{
	struct code_range ranges[] = { { 30, 40 }, { 10, 20 }, { 15, 25 }, { 25, 28 }, { 11, 12 } };

	(void)state;
	assert_int_equal(code_ranges_join(ranges, 5), 2);
	assert_int_equal(ranges[0].start, 10);
	assert_int_equal(ranges[0].end, 28);
	assert_int_equal(ranges[1].start, 30);
	assert_int_equal(ranges[1].end, 40);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(bytes_of_ranges_are_described),
		cmocka_unit_test(ranges_may_overlap_in_any_order_and_reach_beyond),
		cmocka_unit_test(nothing_is_described_without_ranges),
		cmocka_unit_test(joined_ranges_are_apart),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
