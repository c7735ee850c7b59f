#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "truth/shadow_stack.h"

static const struct instruction a_call = { INSTRUCTION_CALL, 5 };
static const struct instruction a_return = { INSTRUCTION_RETURN, 0 };
static const struct instruction a_pop = { INSTRUCTION_POP, 0 };
static const struct instruction an_other = { INSTRUCTION_OTHER, 0 };
static const struct instruction an_indirect_jump = { INSTRUCTION_INDIRECT_JUMP, 0 };

/* 0x1111 calls from a stack pointer of 0x9000, 0x2222 from 0x8f00, 0x3333 from 0x8e00. */
static struct shadow_stack *three_calls(void)
{
	struct shadow_stack *stack = shadow_stack_create((struct shadow_bounds){ 0x1000, 0xa000 }, true);

	shadow_stack_step(stack, a_call, 0x9000, 0x8ff8, 0x1111);
	shadow_stack_step(stack, a_call, 0x8f00, 0x8ef8, 0x2222);
	shadow_stack_step(stack, a_call, 0x8e00, 0x8df8, 0x3333);
	return stack;
}

/* Asserts the callers, innermost first, up to a 0. */
static void assert_callers(struct shadow_stack *stack, const uint64_t *expected)
{
	struct shadow_frame frames[8];
	bool complete;
	size_t here, count = shadow_stack_frames(stack, frames, 8, &complete, &here);

	for (size_t i = 0; i < count; i++)
		assert_int_equal(frames[i].address, expected[i]);
	assert_int_equal(expected[count], 0);
}
#define ASSERT_CALLERS(stack, ...) assert_callers(stack, (const uint64_t[]){ __VA_ARGS__, 0 })

static void return_leaves_one_frame(void **state)
{
	struct shadow_stack *stack = three_calls();

	(void)state;
	shadow_stack_step(stack, a_return, 0x8df8, 0x8e00, 0);
	ASSERT_CALLERS(stack, 0x2222, 0x1111);
	shadow_stack_destroy(stack);
}

static void jump_with_a_higher_stack_pointer_leaves_all_frames_below_it(void **state)
{
	struct shadow_stack *stack = three_calls();

	(void)state;
	shadow_stack_step(stack, an_other, 0x8d00, 0x8f80, 0);
	assert_true(shadow_stack_in_transfer(stack, 0x8f80));
	ASSERT_CALLERS(stack, 0x3333, 0x2222, 0x1111);
	shadow_stack_step(stack, an_indirect_jump, 0x8f80, 0x8f80, 0);
	assert_false(shadow_stack_in_transfer(stack, 0x8f80));
	ASSERT_CALLERS(stack, 0x1111);
	shadow_stack_destroy(stack);
}

/* vfork: pop %rdi; syscall; push %rdi; ret */
static void return_address_in_a_register_is_still_a_frame(void **state)
{
	struct shadow_stack *stack = three_calls();

	(void)state;
	shadow_stack_step(stack, a_pop, 0x8df8, 0x8e00, 0);
	assert_false(shadow_stack_in_transfer(stack, 0x8e00));
	shadow_stack_step(stack, an_other, 0x8e00, 0x8df8, 0);
	ASSERT_CALLERS(stack, 0x3333, 0x2222, 0x1111);
	shadow_stack_destroy(stack);
}

static void call_that_faulted_makes_no_frame(void **state)
{
	struct shadow_stack *stack = three_calls();

	(void)state;
	shadow_stack_step(stack, a_call, 0x8d00, 0x8d00, 0x4444);
	ASSERT_CALLERS(stack, 0x3333, 0x2222, 0x1111);
	shadow_stack_destroy(stack);
}

static void handler_on_a_stack_of_its_own_has_the_interrupted_frames_above(void **state)
{
	struct shadow_stack *stack = three_calls();
	struct shadow_frame frames[8];
	bool complete;
	size_t here;

	(void)state;
	shadow_stack_signal(stack, 0x20ff8, 0x5555, 0x210a0, 0x6666,
			    (struct shadow_bounds){ 0x20000, 0x22000 });
	ASSERT_CALLERS(stack, 0x5555, 0x6666, 0x3333, 0x2222, 0x1111);
	assert_int_equal(shadow_stack_frames(stack, frames, 8, &complete, &here), 5);
	assert_int_equal(here, 2);
	assert_true(complete);
	assert_false(frames[1].is_return_address);
	/* siglongjmp leaves the handler. */
	assert_false(shadow_stack_holds(stack, 0x8f80));
	shadow_stack_switch(stack, 0x8f80, (struct shadow_bounds){ 0x1000, 0xa000 });
	shadow_stack_step(stack, an_indirect_jump, 0x8f80, 0x8f80, 0);
	ASSERT_CALLERS(stack, 0x1111);
	shadow_stack_destroy(stack);
}

static void another_stack_begins_with_nobody_known_and_the_first_is_kept(void **state)
{
	struct shadow_stack *stack = three_calls();
	struct shadow_frame frames[8];
	bool complete;
	size_t here;

	(void)state;
	shadow_stack_switch(stack, 0x50000, (struct shadow_bounds){ 0x40000, 0x51000 });
	assert_int_equal(shadow_stack_frames(stack, frames, 8, &complete, &here), 0);
	assert_false(complete);
	shadow_stack_switch(stack, 0x8df8, (struct shadow_bounds){ 0, 0 });
	ASSERT_CALLERS(stack, 0x3333, 0x2222, 0x1111);
	shadow_stack_destroy(stack);
}

static void a_stack_that_moves_keeps_its_callers(void **state)
{
	const struct shadow_bounds old = { 0x1000, 0x2000 }, new = { 0x8000, 0xa000 };
	struct shadow_stack *stack = shadow_stack_create(old, true);
	struct shadow_frame frames[4];
	bool complete;
	size_t here;

	(void)state;
	shadow_stack_step(stack, (struct instruction){ INSTRUCTION_CALL, 5 }, 0x1f00, 0x1ef8, 0x44);
	shadow_stack_move(stack, old, new);
	assert_true(shadow_stack_holds(stack, 0x9e00));
	assert_false(shadow_stack_holds(stack, 0x1e00));
	assert_int_equal(shadow_stack_frames(stack, frames, 4, &complete, &here), 1);
	assert_int_equal(frames[0].slot, 0x9ef8);
	assert_true(complete);
	shadow_stack_forget(stack);
	assert_int_equal(shadow_stack_frames(stack, frames, 4, &complete, &here), 0);
	assert_false(complete);
	shadow_stack_destroy(stack);
}

static void calls_with_a_link_register_end_where_the_stack_pointer_was(void **state)
{
	const struct instruction call = { INSTRUCTION_CALL, 4 }, ret = { INSTRUCTION_RETURN, 4 },
				 jump = { INSTRUCTION_INDIRECT_JUMP, 4 };
	struct shadow_stack *stack = shadow_stack_create((struct shadow_bounds){ 0x1000, 0x2000 }, true);
	struct shadow_frame frames[4];
	bool complete;
	size_t here;

	(void)state;
	shadow_stack_link_step(stack, call, 0x1f00, 0x1f00, 0x44, 0x44);
	shadow_stack_link_step(stack, jump, 0x1f00, 0x1f00, 0, 0x44); /* through the PLT */
	shadow_stack_link_step(stack, call, 0x1e00, 0x1e00, 0x88, 0x88);
	assert_int_equal(shadow_stack_frames(stack, frames, 4, &complete, &here), 2);
	assert_int_equal(frames[0].address, 0x88);
	assert_int_equal(frames[1].slot, 0x1f00);
	shadow_stack_link_step(stack, ret, 0x1e00, 0x1e00, 0, 0x88);
	assert_int_equal(shadow_stack_frames(stack, frames, 4, &complete, &here), 1);
	shadow_stack_link_step(stack, call, 0x1d00, 0x1d00, 0xcc, 0xcc);
	shadow_stack_link_step(stack, jump, 0x1f00, 0x1f00, 0, 0x12); /* to a landing pad */
	assert_int_equal(shadow_stack_frames(stack, frames, 4, &complete, &here), 0);
	assert_true(complete);
	shadow_stack_destroy(stack);
}

/* musl's sigsetjmp: pops its return address, calls setjmp, pushes it again; after a longjmp a second time. */
static void frame_whose_return_address_was_put_away_comes_back_when_it_is_pushed(void **state)
{
	struct shadow_stack *stack = three_calls();

	(void)state;
	shadow_stack_step(stack, an_other, 0x8df8, 0x8e00, 0);
	shadow_stack_step(stack, a_call, 0x8e00, 0x8df8, 0x4444);
	assert_true(shadow_stack_in_transfer(stack, 0x8df8));
	shadow_stack_step(stack, a_return, 0x8df8, 0x8e00, 0);
	shadow_stack_arrived(stack, 0x4444, 0x8e00);
	assert_true(shadow_stack_in_transfer(stack, 0x8e00));
	shadow_stack_step(stack, an_other, 0x8e00, 0x8df8, 0);
	assert_false(shadow_stack_in_transfer(stack, 0x8df8));
	ASSERT_CALLERS(stack, 0x3333, 0x2222, 0x1111);
	shadow_stack_step(stack, a_return, 0x8df8, 0x8e00, 0);
	shadow_stack_arrived(stack, 0x3333, 0x8e00);
	ASSERT_CALLERS(stack, 0x2222, 0x1111);
	shadow_stack_step(stack, an_indirect_jump, 0x8800, 0x8e00, 0); /* longjmp */
	shadow_stack_arrived(stack, 0x4444, 0x8e00);
	shadow_stack_step(stack, an_other, 0x8e00, 0x8df8, 0);
	ASSERT_CALLERS(stack, 0x3333, 0x2222, 0x1111);
	shadow_stack_destroy(stack);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(return_leaves_one_frame),
		cmocka_unit_test(jump_with_a_higher_stack_pointer_leaves_all_frames_below_it),
		cmocka_unit_test(return_address_in_a_register_is_still_a_frame),
		cmocka_unit_test(call_that_faulted_makes_no_frame),
		cmocka_unit_test(handler_on_a_stack_of_its_own_has_the_interrupted_frames_above),
		cmocka_unit_test(another_stack_begins_with_nobody_known_and_the_first_is_kept),
		cmocka_unit_test(frame_whose_return_address_was_put_away_comes_back_when_it_is_pushed),
		cmocka_unit_test(a_stack_that_moves_keeps_its_callers),
		cmocka_unit_test(calls_with_a_link_register_end_where_the_stack_pointer_was),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
