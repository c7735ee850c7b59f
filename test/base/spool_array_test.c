#include "base/spool_array.h"

#include <stdint.h>

#include "support/cmocka.h"

static void items_can_be_read_and_more_added(void **state)
{
	enum { MANY = 40000 }; /* more than the buffer holds */
	struct spool_array array;

	(void)state;
	assert_int_equal(spool_array_init(&array, "numbers", sizeof(uint32_t), NULL), 0);
	for (uint32_t i = 0; i < MANY; i++)
		spool_array_add(&array, &i);
	spool_array_map(&array);
	((uint32_t *)array.items)[7] = 700;
	for (uint32_t i = MANY; i < 2 * MANY; i++)
		spool_array_add(&array, &i);
	assert_int_equal(spool_array_finish(&array, NULL), 0);
	assert_int_equal(array.count, 2 * MANY);
	for (uint32_t i = 0; i < 2 * MANY; i++)
		assert_int_equal(((const uint32_t *)array.items)[i], i == 7 ? 700 : i);
	spool_array_fini(&array);
}

static void a_cleared_array_is_empty(void **state)
{
	struct spool_array array;

	(void)state;
	assert_int_equal(spool_array_init(&array, "numbers", 1, NULL), 0);
	spool_array_add(&array, "a");
	assert_int_equal(spool_array_finish(&array, NULL), 0);
	spool_array_clear(&array);
	assert_int_equal(spool_array_finish(&array, NULL), 0);
	assert_int_equal(array.count, 0);
	assert_null(array.items);
	spool_array_fini(&array);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(items_can_be_read_and_more_added),
		cmocka_unit_test(a_cleared_array_is_empty),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
