#include "base/str_pool.h"

#include <stdio.h>

#include "support/cmocka.h"

static void number_zero_is_the_empty_string(void **state)
{
	struct str_pool *pool = str_pool_create();

	(void)state;
	assert_int_equal(str_pool_count(pool), 1);
	assert_string_equal(str_pool_text(pool, 0), "");
	assert_int_equal(str_pool_add(pool, ""), 0);
	assert_int_equal(str_pool_add_n(pool, NULL, 0), 0);
	assert_int_equal(str_pool_find(pool, ""), 0);
	str_pool_destroy(NULL); /* does nothing */
	str_pool_destroy(pool);
}

static void equal_texts_get_the_same_dense_number(void **state)
{
	struct str_pool *pool = str_pool_create();

	(void)state;
	assert_int_equal(str_pool_add(pool, "main"), 1);
	assert_int_equal(str_pool_add(pool, "malloc"), 2);
	assert_int_equal(str_pool_add_n(pool, "main()", 4), 1);
	assert_int_equal(str_pool_count(pool), 3);
	assert_string_equal(str_pool_text(pool, 1), "main");
	str_pool_destroy(pool);
}

static void find_does_not_add(void **state)
{
	struct str_pool *pool = str_pool_create();

	(void)state;
	assert_int_equal(str_pool_find(pool, "main"), UINT32_MAX);
	assert_int_equal(str_pool_count(pool), 1);
	str_pool_add(pool, "main");
	assert_int_equal(str_pool_find(pool, "main"), 1);
	str_pool_destroy(pool);
}

static void texts_stay_where_they_are_while_the_pool_grows(void **state)
{
	struct str_pool *pool = str_pool_create();
	const char *first;
	char text[16];
	unsigned int i;

	(void)state;
	first = str_pool_text(pool, str_pool_add(pool, "first"));
	for (i = 0; i < 10000; i++) {
		snprintf(text, sizeof(text), "f%u", i);
		assert_int_equal(str_pool_add(pool, text), i + 2);
	}
	assert_ptr_equal(str_pool_text(pool, 1), first);
	assert_string_equal(first, "first");
	assert_string_equal(str_pool_text(pool, 10001), "f9999");
	str_pool_destroy(pool);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(number_zero_is_the_empty_string),
		cmocka_unit_test(equal_texts_get_the_same_dense_number),
		cmocka_unit_test(find_does_not_add),
		cmocka_unit_test(texts_stay_where_they_are_while_the_pool_grows),
	};

	return cmocka_run_group_tests_name("base/str_pool", tests, NULL, NULL);
}
