#include "base/radix_sort.h"

#include "support/cmocka.h"

static void assert_order(struct radix_item *items, size_t count, const uint32_t *expected)
{
	radix_sort(items, count);
	for (size_t i = 0; i < count; i++)
		assert_int_equal(items[i].number, expected[i]);
}

static void the_least_key_comes_first(void **state)
{
	struct radix_item items[] = { { 5, 0 },          { UINT64_MAX, 1 }, { 0, 2 },
				      { 1ull << 63, 3 }, { 1ull << 11, 4 }, { 2047, 5 } };

	(void)state;
	assert_order(items, 6, (const uint32_t[]){ 2, 0, 5, 4, 3, 1 });
	assert_int_equal(items[5].key, UINT64_MAX);
}

static void equal_keys_stay_in_their_order(void **state)
{
	struct radix_item items[] = { { 7, 0 }, { 3, 1 }, { 7, 2 }, { 3, 3 }, { 7, 4 } };

	(void)state;
	assert_order(items, 5, (const uint32_t[]){ 1, 3, 0, 2, 4 });
}

static void what_needs_no_order_is_left_alone(void **state)
{
	struct radix_item items[] = { { 9, 8 }, { 9, 7 } };

	(void)state;
	radix_sort(items, 0);
	radix_sort(NULL, 0);
	assert_order(items, 1, (const uint32_t[]){ 8 });
	assert_order(items, 2, (const uint32_t[]){ 8, 7 });
}

/* Odd and even numbers of passes: keys with one to six digits of eleven bits. */
static void keys_of_any_size_are_sorted(void **state)
{
	enum { COUNT = 5000 };
	static struct radix_item items[COUNT];
	uint64_t random = 88172645463325252u;

	(void)state;
	for (unsigned bits = 1; bits <= 64; bits++) {
		for (uint32_t i = 0; i < COUNT; i++) {
			random = random * 6364136223846793005u + 1442695040888963407u;
			items[i] = (struct radix_item){ random >> (64 - bits), i };
		}
		radix_sort(items, COUNT);
		for (uint32_t i = 1; i < COUNT; i++)
			assert_true(
				items[i - 1].key < items[i].key ||
				(items[i - 1].key == items[i].key && items[i - 1].number < items[i].number));
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_least_key_comes_first),
		cmocka_unit_test(equal_keys_stay_in_their_order),
		cmocka_unit_test(what_needs_no_order_is_left_alone),
		cmocka_unit_test(keys_of_any_size_are_sorted),
	};

	return cmocka_run_group_tests_name("base/radix_sort", tests, NULL, NULL);
}
