#include "report/load/counter_table.h"

#include "support/cmocka.h"

static void a_counter_advances_from_nought_and_then_from_its_last_value(void **state)
{
	struct counter_table *table = counter_table_create();

	(void)state;
	assert_int_equal(counter_table_advance(table, 7, 100), 100);
	assert_int_equal(counter_table_advance(table, 7, 250), 150);
	assert_int_equal(counter_table_advance(table, 7, 250), 0);
	counter_table_destroy(table);
}

static void counters_are_told_apart_by_id(void **state)
{
	struct counter_table *table = counter_table_create();
	uint64_t id;

	(void)state;
	for (id = 0; id < 1000; id++)
		assert_int_equal(counter_table_advance(table, id, id), id);
	for (id = 0; id < 1000; id++)
		assert_int_equal(counter_table_advance(table, id, 2 * id), id);
	counter_table_destroy(table);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_counter_advances_from_nought_and_then_from_its_last_value),
		cmocka_unit_test(counters_are_told_apart_by_id),
	};

	return cmocka_run_group_tests_name("report/load/counter_table", tests, NULL, NULL);
}
