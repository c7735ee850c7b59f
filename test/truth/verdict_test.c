#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "truth/verdict.h"

enum { CFI = UNWIND_HOW_CFI, UNPROVED = UNWIND_HOW_UNPROVED_FP };

static const struct shadow_frame callers[] = { { 0x1, 0, true, 0 },
					       { 0x2, 0, true, 0 },
					       { 0x3, 0, true, 0 } };
static const struct truth truth = { .callers = callers, .count = 3, .readable = 3, .complete = true };

/* The verdict on these frames above the pc. */
static struct verdict judge(const struct unwind_frame *frames, size_t count, enum unwind_end end,
			    bool truncated)
{
	struct unwind_frame all[8] = {
		{ .address = 0x100, .how = UNWIND_HOW_REGISTERS, .is_return_address = false }
	};
	struct unwind_stack stack = { .frames = all, .count = count + 1, .end = end };
	struct verdict verdict = { 0 };

	for (size_t i = 0; i < count; i++)
		all[i + 1] = frames[i];
	verdict_add(&verdict, &truth, &stack, truncated);
	return verdict;
}

static void all_callers_and_the_root_are_right(void **state)
{
	const struct unwind_frame frames[] = { { .address = 1, .how = CFI, .is_return_address = true },
					       { .address = 2, .how = CFI, .is_return_address = true },
					       { .address = 3, .how = CFI, .is_return_address = true } };
	struct verdict verdict = judge(frames, 3, UNWIND_END_ROOT, false);

	(void)state;
	assert_int_equal(verdict.right, 3);
	assert_int_equal(verdict.wrong + verdict.missing + verdict.marked, 0);
}

static void caller_that_was_left_out_is_missing_and_the_next_one_wrong(void **state)
{
	const struct unwind_frame frames[] = { { .address = 1, .how = CFI, .is_return_address = true },
					       { .address = 3, .how = CFI, .is_return_address = true } };
	struct verdict verdict = judge(frames, 2, UNWIND_END_ROOT, false);

	(void)state;
	assert_int_equal(verdict.right, 1);
	assert_int_equal(verdict.wrong, 1);
	assert_int_equal(verdict.missing, 1);
}

static void what_lies_above_a_marked_frame_is_marked_too(void **state)
{
	const struct unwind_frame frames[] = { { .address = 7, .how = UNPROVED, .is_return_address = true },
					       { .address = 8, .how = CFI, .is_return_address = true } };
	struct verdict verdict = judge(frames, 2, UNWIND_END_BAD_CFA, false);

	(void)state;
	assert_int_equal(verdict.marked, 2);
	assert_int_equal(verdict.wrong, 0);
	assert_int_equal(verdict.missing, 3);
}

static void root_that_is_none_is_wrong(void **state)
{
	const struct unwind_frame frames[] = { { .address = 1, .how = CFI, .is_return_address = true } };
	struct verdict verdict = judge(frames, 1, UNWIND_END_ROOT, true);

	(void)state;
	assert_int_equal(verdict.wrong, 1);
}

static void beginning_of_the_truth_is_all_that_a_cut_stack_needs(void **state)
{
	const struct unwind_frame frames[] = { { .address = 1, .how = CFI, .is_return_address = true } };
	struct verdict verdict = judge(frames, 1, UNWIND_END_STACK_EXHAUSTED, true);

	(void)state;
	assert_int_equal(verdict.right, 1);
	assert_int_equal(verdict.wrong + verdict.missing, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(all_callers_and_the_root_are_right),
		cmocka_unit_test(caller_that_was_left_out_is_missing_and_the_next_one_wrong),
		cmocka_unit_test(what_lies_above_a_marked_frame_is_marked_too),
		cmocka_unit_test(root_that_is_none_is_wrong),
		cmocka_unit_test(beginning_of_the_truth_is_all_that_a_cut_stack_needs),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
