#include "unwind/code/offset_set.h"

#include "support/cmocka.h"

static void an_offset_is_new_once(void **state)
{
	struct offset_set set = { .words = NULL };

	(void)state;
	assert_false(offset_set_has(&set, 0));
	assert_true(offset_set_add(&set, 0));
	assert_false(offset_set_add(&set, 0));
	assert_true(offset_set_has(&set, 0));
	assert_false(offset_set_has(&set, 1));
	assert_true(offset_set_add(&set, SIZE_MAX));
	assert_false(offset_set_add(&set, SIZE_MAX));
	assert_false(offset_set_has(&set, SIZE_MAX - 1));
	offset_set_fini(&set);
}

static void many_offsets_are_all_kept(void **state)
{
	enum { COUNT = 10000, STEP = 7919 };
	struct offset_set set = { .words = NULL };

	(void)state;
	for (size_t i = 0; i < COUNT; i++)
		assert_true(offset_set_add(&set, i * STEP));
	for (size_t i = 0; i < COUNT; i++) {
		assert_true(offset_set_has(&set, i * STEP));
		assert_false(offset_set_has(&set, i * STEP + 1));
	}
	offset_set_fini(&set);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(an_offset_is_new_once),
		cmocka_unit_test(many_offsets_are_all_kept),
	};

	return cmocka_run_group_tests_name("unwind/code/offset_set", tests, NULL, NULL);
}
