#include "format/lbr_stack.h"

#include <linux/perf_event.h>
#include <string.h>

#include "support/cmocka.h"

/* main calls at 0x1000, its callee at 0x2000: the latest call first. */
static const uint64_t two_calls[] = { 0x2000, 0x3000, 0, 0x1000, 0x1f00, 0 };

static struct sample sample_of(const uint64_t *branches, size_t count)
{
	return (struct sample){ .branches = (const uint8_t *)branches, .branch_count = count };
}

static void only_calls_are_a_call_stack(void **state)
{
	const struct sample sample = sample_of(two_calls, 2), empty = sample_of(two_calls, 0);
	const struct perf_attr calls = { .branch_sample_type =
						 PERF_SAMPLE_BRANCH_CALL_STACK | PERF_SAMPLE_BRANCH_USER };
	const struct perf_attr any = { .branch_sample_type = PERF_SAMPLE_BRANCH_ANY };

	(void)state;
	assert_true(lbr_stack_is_in(&sample, &calls));
	assert_false(lbr_stack_is_in(&sample, &any));
	assert_false(lbr_stack_is_in(&empty, &calls));
}

static void the_other_stack_goes_on_behind_the_outermost_call(void **state)
{
	const uint64_t whole[] = { 0x3010, 0x2005, 0x1005, 0x500, 0x400 };
	const uint64_t without_caller_of_leaf[] = { 0x3010, 0x1005, 0x500 };

	(void)state;
	assert_int_equal(lbr_stack_beyond(0x1000, 2, whole, 5), 3);
	assert_int_equal(lbr_stack_beyond(0x1000, 2, whole, 3), 3);
	assert_int_equal(lbr_stack_beyond(0x1000, 2, without_caller_of_leaf, 3), 2);
}

static void a_return_address_lies_at_most_an_instruction_behind_its_call(void **state)
{
	const uint64_t same[] = { 0x3010, 0x1000, 0x500 }, farthest[] = { 0x3010, 0x100f, 0x500 },
		       too_far[] = { 0x3010, 0x1010, 0x500 };

	(void)state;
	assert_int_equal(lbr_stack_beyond(0x1000, 2, same, 3), 3);
	assert_int_equal(lbr_stack_beyond(0x1000, 2, farthest, 3), 2);
	assert_int_equal(lbr_stack_beyond(0x1000, 2, too_far, 3), 3);
}

static void a_recursion_has_room_for_all_calls(void **state)
{
	const uint64_t frames[] = { 0x1010, 0x1005, 0x1005, 0x1005, 0x1005, 0x500 };

	(void)state;
	assert_int_equal(lbr_stack_beyond(0x1000, 3, frames, 6), 3);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(only_calls_are_a_call_stack),
		cmocka_unit_test(the_other_stack_goes_on_behind_the_outermost_call),
		cmocka_unit_test(a_return_address_lies_at_most_an_instruction_behind_its_call),
		cmocka_unit_test(a_recursion_has_room_for_all_calls),
	};

	return cmocka_run_group_tests_name("format/lbr_stack", tests, NULL, NULL);
}
