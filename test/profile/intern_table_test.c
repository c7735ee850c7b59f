#include "profile/intern_table.h"

#include "support/cmocka.h"

static bool same_number(const void *items, uint32_t item, const void *key)
{
	return ((const uint64_t *)items)[item] == *(const uint64_t *)key;
}

static void equal_items_get_one_number_in_order_of_appearance(void **state)
{
	struct intern_table table;
	uint64_t value;

	(void)state;
	intern_table_init(&table, sizeof(uint64_t), same_number);
	for (value = 0; value < 10000; value++)
		assert_int_equal(intern_table_add(&table, hash_u64(value % 5000),
						  &(uint64_t){ value % 5000 }),
				 value % 5000);
	assert_int_equal(table.count, 5000);
	assert_int_equal(((uint64_t *)table.items)[4999], 4999);
	intern_table_fini(&table);
}

static void items_with_equal_hashes_are_told_apart(void **state)
{
	struct intern_table table;

	(void)state;
	intern_table_init(&table, sizeof(uint64_t), same_number);
	assert_int_equal(intern_table_add(&table, 7, &(uint64_t){ 1 }), 0);
	assert_int_equal(intern_table_add(&table, 7, &(uint64_t){ 2 }), 1);
	assert_int_equal(intern_table_find(&table, 7, &(uint64_t){ 2 }), 1);
	assert_int_equal(intern_table_find(&table, 7, &(uint64_t){ 3 }), UINT32_MAX);
	assert_int_equal(table.count, 2);
	intern_table_fini(&table);
}

static void items_are_taken_over_without_what_finds_them(void **state)
{
	struct intern_table table, other;

	(void)state;
	intern_table_init(&table, sizeof(uint64_t), same_number);
	intern_table_reserve(&table, 100);
	intern_table_init(&other, sizeof(uint64_t), same_number);
	intern_table_add(&other, 7, &(uint64_t){ 1 });
	intern_table_add(&other, 8, &(uint64_t){ 2 });
	intern_table_take(&table, &other);
	assert_int_equal(table.count, 2);
	assert_int_equal(((uint64_t *)table.items)[1], 2);
	assert_int_equal(intern_table_find(&table, 7, &(uint64_t){ 1 }), UINT32_MAX);
	/* The other table is as new. */
	assert_int_equal(other.count, 0);
	assert_int_equal(intern_table_add(&other, 8, &(uint64_t){ 2 }), 0);
	intern_table_fini(&other);
	intern_table_fini(&table);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(equal_items_get_one_number_in_order_of_appearance),
		cmocka_unit_test(items_with_equal_hashes_are_told_apart),
		cmocka_unit_test(items_are_taken_over_without_what_finds_them),
	};

	return cmocka_run_group_tests_name("profile/intern_table", tests, NULL, NULL);
}
