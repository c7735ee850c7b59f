#include "report/dump/dump_record.h"

#include "format/perf_abi.h"
#include "support/cmocka.h"
#include "support/recipe_dump.h"

static void every_record_of_the_kernel_is_shown_in_either_byte_order(void **state)
{
	(void)state;
	recipe_dump_check(kernel_recipes);
}

static void a_record_may_end_anywhere(void **state)
{
	(void)state;
	recipe_dump_check_cut(kernel_recipes);
}

/* Samples have several forms: see sample_test, dump_record_test. */
static bool is_elsewhere(uint32_t type)
{
	return type == PERF_RECORD_SAMPLE;
}

static void no_type_is_left_out(void **state)
{
	(void)state;
	for (uint32_t type = PERF_RECORD_MMAP; type <= RECORD_CALLCHAIN_DEFERRED; type++)
		assert_true(record_recipes_have(kernel_recipes, type) || is_elsewhere(type));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_record_of_the_kernel_is_shown_in_either_byte_order),
		cmocka_unit_test(a_record_may_end_anywhere),
		cmocka_unit_test(no_type_is_left_out),
	};

	return cmocka_run_group_tests_name("report/dump/dump_kernel_record", tests, NULL, NULL);
}
