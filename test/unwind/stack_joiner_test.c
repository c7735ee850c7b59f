#include "unwind/stack_joiner.h"

#include <string.h>

#include "support/cmocka.h"

enum { THREAD = 7, OTHER_THREAD = 8, MAX_FRAMES = 16 };

/* Frames of a stack, leaf first. Each stack pointer is 0x100 above the one before. */
struct made {
	struct unwind_frame frames[MAX_FRAMES];
	struct unwind_stack stack;
};

static void make(struct made *made, const uint64_t *addresses, size_t count, uint64_t leaf_sp,
		 enum unwind_end end)
{
	*made = (struct made){ .stack = { .count = count, .capacity = MAX_FRAMES, .end = end } };
	made->stack.frames = made->frames;
	for (size_t i = 0; i < count; i++)
		made->frames[i] = (struct unwind_frame){ .address = addresses[i],
							 .how = i ? UNWIND_HOW_CFI : UNWIND_HOW_REGISTERS,
							 .is_return_address = i > 0,
							 .sp = leaf_sp + 0x100 * i };
	if (end == UNWIND_END_STACK_EXHAUSTED)
		made->stack.return_slot = leaf_sp + 0x100 * count - 8;
}

#define COMPLETE(made, leaf_sp, ...)                                                                 \
	make(made, (const uint64_t[]){ __VA_ARGS__ }, sizeof((const uint64_t[]){ __VA_ARGS__ }) / 8, \
	     leaf_sp, UNWIND_END_ROOT)
#define TRUNCATED(made, leaf_sp, ...)                                                                \
	make(made, (const uint64_t[]){ __VA_ARGS__ }, sizeof((const uint64_t[]){ __VA_ARGS__ }) / 8, \
	     leaf_sp, UNWIND_END_STACK_EXHAUSTED)

/* Learns the stack as often as the joiner requires. */
static void learn(struct stack_joiner *joiner, uint64_t thread, const struct made *made)
{
	for (int i = 0; i < 4; i++)
		stack_joiner_learn(joiner, thread, &made->stack);
}

/* Learns the stack that most tests join to: 1, called by 2, and so on up to 6, with the leaf at 0x1000. */
static void learn_usual(struct stack_joiner *joiner, uint64_t thread)
{
	struct made complete;

	COMPLETE(&complete, 0x1000, 1, 2, 3, 4, 5, 6);
	learn(joiner, thread, &complete);
}

static int set_up(void **state)
{
	*state = stack_joiner_create();
	return 0;
}

static int tear_down(void **state)
{
	stack_joiner_destroy(*state);
	return 0;
}

static void assert_cut_off(const struct made *made, size_t count)
{
	assert_int_equal(made->stack.count, count);
	assert_int_equal(made->stack.end, UNWIND_END_STACK_EXHAUSTED);
}

static void a_truncated_stack_gets_the_callers_of_the_complete_one(void **state)
{
	struct made truncated;

	learn_usual(*state, THREAD);
	TRUNCATED(&truncated, 0xf00, 9, 8, 2, 3, 4);
	assert_int_equal(stack_joiner_join(*state, THREAD, &truncated.stack), 2);
	assert_int_equal(truncated.stack.end, UNWIND_END_ROOT);
	assert_int_equal(truncated.stack.count, 7);
	assert_int_equal(truncated.stack.at, 6);
	assert_false(truncated.frames[4].joined);
	for (size_t i = 5; i < 7; i++) {
		assert_true(truncated.frames[i].joined);
		assert_true(truncated.frames[i].is_return_address);
		assert_int_equal(truncated.frames[i].address, i);
		assert_int_equal(truncated.frames[i].sp, 0xf00 + 0x100 * i);
	}
}

static void two_frames_that_agree_are_not_enough(void **state)
{
	struct made truncated;

	learn_usual(*state, THREAD);
	TRUNCATED(&truncated, 0x1000, 1, 9, 3, 4);
	assert_int_equal(stack_joiner_join(*state, THREAD, &truncated.stack), 0);
	assert_cut_off(&truncated, 4);
	TRUNCATED(&truncated, 0x1200, 3, 4);
	assert_int_equal(stack_joiner_join(*state, THREAD, &truncated.stack), 0);
}

static void the_same_code_elsewhere_on_the_stack_is_another_call(void **state)
{
	struct made truncated;

	learn_usual(*state, THREAD);
	TRUNCATED(&truncated, 0x1010, 1, 2, 3, 4);
	assert_int_equal(stack_joiner_join(*state, THREAD, &truncated.stack), 0);
	assert_cut_off(&truncated, 4);
}

static void stacks_of_other_threads_are_not_taken(void **state)
{
	struct made truncated;

	learn_usual(*state, OTHER_THREAD);
	TRUNCATED(&truncated, 0x1000, 1, 2, 3, 4);
	assert_int_equal(stack_joiner_join(*state, THREAD, &truncated.stack), 0);
}

/* The same three calls at the same depth, called once by 5 and once by 7. */
static void where_complete_stacks_disagree_none_is_taken(void **state)
{
	struct made complete, truncated;

	learn_usual(*state, THREAD);
	COMPLETE(&complete, 0x1000, 1, 2, 3, 4, 7, 6);
	learn(*state, THREAD, &complete);
	TRUNCATED(&truncated, 0x1000, 1, 2, 3, 4);
	assert_int_equal(stack_joiner_join(*state, THREAD, &truncated.stack), 0);
	/* With one more frame they differ. */
	TRUNCATED(&truncated, 0x1000, 1, 2, 3, 4, 7);
	assert_int_equal(stack_joiner_join(*state, THREAD, &truncated.stack), 1);
	assert_int_equal(truncated.frames[5].address, 6);
}

/* 4 calls different functions, but 5 and 6 stay. */
static void callers_must_have_been_there_for_a_while(void **state)
{
	struct made complete, truncated;

	COMPLETE(&complete, 0x1000, 1, 2, 3, 4, 5, 6);
	stack_joiner_learn(*state, THREAD, &complete.stack);
	COMPLETE(&complete, 0x1200, 8, 4, 5, 6);
	stack_joiner_learn(*state, THREAD, &complete.stack);
	COMPLETE(&complete, 0x1100, 9, 8, 4, 5, 6);
	stack_joiner_learn(*state, THREAD, &complete.stack);
	TRUNCATED(&truncated, 0x1000, 1, 2, 3, 4);
	assert_int_equal(stack_joiner_join(*state, THREAD, &truncated.stack), 0);
	COMPLETE(&complete, 0x1200, 8, 4, 5, 6);
	stack_joiner_learn(*state, THREAD, &complete.stack);
	assert_int_equal(stack_joiner_join(*state, THREAD, &truncated.stack), 2);
	COMPLETE(&complete, 0x1500, 6); /* all the others have returned */
	stack_joiner_learn(*state, THREAD, &complete.stack);
	TRUNCATED(&truncated, 0x1000, 1, 2, 3, 4);
	assert_int_equal(stack_joiner_join(*state, THREAD, &truncated.stack), 0);
}

/* The missing frame must be where the complete stack has it. */
static void the_missing_return_address_has_to_fit(void **state)
{
	struct made truncated;

	learn_usual(*state, THREAD);
	TRUNCATED(&truncated, 0x1000, 1, 2, 3, 4);
	truncated.stack.return_slot += 8;
	assert_int_equal(stack_joiner_join(*state, THREAD, &truncated.stack), 0);
	truncated.stack.return_slot = 0; /* the missing word was no return address */
	assert_int_equal(stack_joiner_join(*state, THREAD, &truncated.stack), 0);
}

static void incomplete_and_guessed_stacks_are_not_learnt(void **state)
{
	struct made complete, truncated;

	COMPLETE(&complete, 0x1000, 1, 2, 3, 4, 5, 6);
	complete.frames[5].how = UNWIND_HOW_GUESSED;
	learn(*state, THREAD, &complete);
	COMPLETE(&complete, 0x1000, 1, 2, 3, 4, 5, 6);
	complete.frames[5].joined = true;
	learn(*state, THREAD, &complete);
	COMPLETE(&complete, 0x1000, 1, 2, 3, 4, 5, 6);
	complete.stack.end = UNWIND_END_NO_CFI;
	learn(*state, THREAD, &complete);
	TRUNCATED(&truncated, 0x1000, 1, 2, 3, 4);
	assert_int_equal(stack_joiner_join(*state, THREAD, &truncated.stack), 0);
}

static void what_does_not_fit_into_the_room_is_left_out_whole(void **state)
{
	struct made truncated;

	learn_usual(*state, THREAD);
	TRUNCATED(&truncated, 0x1000, 1, 2, 3, 4);
	truncated.stack.capacity = 5;
	assert_int_equal(stack_joiner_join(*state, THREAD, &truncated.stack), 0);
	assert_cut_off(&truncated, 4);
}

static void memory_is_bounded(void **state)
{
	struct made complete, truncated;

	for (uint64_t i = 0; i < 300000; i++) {
		COMPLETE(&complete, 0x1000 + 8 * i, 1, 2 + i, 3 + i, 4 + i, 5 + i, 6);
		stack_joiner_learn(*state, THREAD + i % 100, &complete.stack);
		assert_true(stack_joiner_bytes(*state) <= 8 << 20);
	}
	learn_usual(*state, THREAD);
	TRUNCATED(&truncated, 0x1000, 1, 2, 3, 4);
	assert_int_equal(stack_joiner_join(*state, THREAD, &truncated.stack), 2);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(a_truncated_stack_gets_the_callers_of_the_complete_one),
		TEST(two_frames_that_agree_are_not_enough),
		TEST(the_same_code_elsewhere_on_the_stack_is_another_call),
		TEST(stacks_of_other_threads_are_not_taken),
		TEST(where_complete_stacks_disagree_none_is_taken),
		TEST(callers_must_have_been_there_for_a_while),
		TEST(the_missing_return_address_has_to_fit),
		TEST(incomplete_and_guessed_stacks_are_not_learnt),
		TEST(what_does_not_fit_into_the_room_is_left_out_whole),
		TEST(memory_is_bounded),
	};

	return cmocka_run_group_tests_name("unwind/stack_joiner", tests, NULL, NULL);
}
