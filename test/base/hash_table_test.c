#include "base/hash_table.h"

#include <stdlib.h>

#include "support/cmocka.h"

static bool number_equal(const void *items, uint32_t item, const void *key)
{
	return ((const uint64_t *)items)[item] == *(const uint64_t *)key;
}

static uint32_t find(const struct hash_table *table, uint64_t hash, const uint64_t *numbers, uint64_t number)
{
	return hash_table_find(table, hash, number_equal, numbers, &number);
}

static void nothing_is_found_in_an_empty_table(void **state)
{
	struct hash_table table;

	(void)state;
	hash_table_init(&table);
	assert_int_equal(find(&table, 1, NULL, 1), HASH_TABLE_NONE);
	hash_table_clear(&table);
	assert_int_equal(find(&table, 1, NULL, 1), HASH_TABLE_NONE);
	hash_table_fini(&table);
}

static void every_item_is_found_while_the_table_grows(void **state)
{
	enum { COUNT = 20000 };
	static uint64_t numbers[COUNT];
	struct hash_table table;
	uint32_t i;

	(void)state;
	hash_table_init(&table);
	for (i = 0; i < COUNT; i++) {
		numbers[i] = (uint64_t)i << 12; /* like addresses of pages */
		hash_table_insert(&table, hash_u64(numbers[i]), i);
		assert_int_equal(find(&table, hash_u64(numbers[i / 2]), numbers, numbers[i / 2]), i / 2);
	}
	for (i = 0; i < COUNT; i++)
		assert_int_equal(find(&table, hash_u64(numbers[i]), numbers, numbers[i]), i);
	assert_int_equal(find(&table, hash_u64(1), numbers, 1), HASH_TABLE_NONE);
	assert_int_equal(table.used, COUNT);
	hash_table_fini(&table);
}

/* Items whose probing starts in few slots, most of them at the end, so that sequences wrap around to the beginning. */
static void crowded_items_are_found_while_the_table_grows(void **state)
{
	enum { ROUNDS = 300, ITEMS = 700 };
	uint64_t keys[ITEMS];

	(void)state;
	srandom(1);
	for (int round = 0; round < ROUNDS; round++) {
		const uint32_t spread = 1u << random() % 10;
		struct hash_table table;

		hash_table_init(&table);
		for (uint32_t i = 0; i < ITEMS; i++) {
			const uint32_t place = (uint32_t)random() % (2 * spread) - spread;

			keys[i] = (uint64_t)place << 32 | i;
			hash_table_insert(&table, keys[i], i);
			if (i % 16 != 0 && i + 1 != ITEMS)
				continue;
			for (uint32_t k = 0; k <= i; k++)
				assert_int_equal(
					hash_table_find(&table, keys[k], number_equal, keys, &keys[k]), k);
		}
		hash_table_fini(&table);
	}
}

static void a_peek_tells_the_first_item_of_a_hash_without_looking_at_it(void **state)
{
	struct hash_table table;

	(void)state;
	hash_table_init(&table);
	hash_table_prefetch(&table, 0); /* harmless if there is nothing to fetch */
	assert_int_equal(hash_table_peek(&table, 0), HASH_TABLE_NONE);
	for (uint32_t i = 0; i < 100; i++)
		hash_table_insert(&table, (uint64_t)(i / 2) << 32, i);
	hash_table_prefetch(&table, (uint64_t)7 << 32);
	assert_int_equal(hash_table_peek(&table, (uint64_t)7 << 32), 14);
	assert_int_equal(hash_table_peek(&table, (uint64_t)70 << 32), HASH_TABLE_NONE);
	hash_table_fini(&table);
}

static void items_with_equal_hashes_are_told_apart_by_the_caller(void **state)
{
	static const uint64_t numbers[] = { 10, 11, 12, 13 };
	struct hash_table table;
	uint32_t i;

	(void)state;
	hash_table_init(&table);
	for (i = 0; i < 4; i++)
		hash_table_insert(&table, 0xdeadbeefdeadbeef, i);
	for (i = 0; i < 4; i++)
		assert_int_equal(find(&table, 0xdeadbeefdeadbeef, numbers, numbers[i]), i);
	assert_int_equal(find(&table, 0xdeadbeefdeadbeef, numbers, 14), HASH_TABLE_NONE);
	hash_table_fini(&table);
}

static void a_cleared_table_forgets_and_can_be_filled_again(void **state)
{
	static const uint64_t numbers[] = { 5 };
	struct hash_table table;

	(void)state;
	hash_table_init(&table);
	hash_table_insert(&table, hash_u64(5), 0);
	hash_table_clear(&table);
	assert_int_equal(find(&table, hash_u64(5), numbers, 5), HASH_TABLE_NONE);
	hash_table_insert(&table, hash_u64(5), 0);
	assert_int_equal(find(&table, hash_u64(5), numbers, 5), 0);
	hash_table_fini(&table);
}

static void hash_bytes_depends_on_every_byte_and_on_the_length(void **state)
{
	unsigned char text[24] = "twenty-three characters";
	uint64_t hash = hash_bytes(text, sizeof(text));
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(text); i++) {
		text[i] ^= 1;
		assert_true(hash_bytes(text, sizeof(text)) != hash);
		text[i] ^= 1;
	}
	assert_true(hash_bytes(text, sizeof(text)) == hash);
	assert_true(hash_bytes("\0", 1) != hash_bytes("\0\0", 2));
	assert_true(hash_bytes(NULL, 0) == hash_bytes("", 0));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(nothing_is_found_in_an_empty_table),
		cmocka_unit_test(every_item_is_found_while_the_table_grows),
		cmocka_unit_test(crowded_items_are_found_while_the_table_grows),
		cmocka_unit_test(a_peek_tells_the_first_item_of_a_hash_without_looking_at_it),
		cmocka_unit_test(items_with_equal_hashes_are_told_apart_by_the_caller),
		cmocka_unit_test(a_cleared_table_forgets_and_can_be_filled_again),
		cmocka_unit_test(hash_bytes_depends_on_every_byte_and_on_the_length),
	};

	return cmocka_run_group_tests_name("base/hash_table", tests, NULL, NULL);
}
