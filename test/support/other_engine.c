#include "support/other_engine.h"

#include "support/cmocka.h"

enum { STACK_BYTES = 64 << 10 };

void other_engine_init(struct other_engine *other)
{
	own_process_init(&other->process);
	other->unwinder = unwinder_create();
}

void other_engine_fini(struct other_engine *other)
{
	unwinder_destroy(other->unwinder);
	own_process_fini(&other->process);
}

__attribute__((noinline)) void assert_same_stack_here(struct other_engine *other)
{
	struct unwind_stack ours = { .frames = other->ours, .capacity = OTHER_ENGINE_FRAMES };
	struct unwind_stack theirs = { .frames = other->theirs, .capacity = OTHER_ENGINE_FRAMES };
	struct unwind_input input;
	ucontext_t context;

	getcontext(&context);
	own_input_init(&input, &other->process, &context, STACK_BYTES);
	unwinder_walk(other->unwinder, &input, &ours);
	other->walk(other->engine, &input, &theirs);
	own_input_fini(&input);
	assert_string_equal(unwind_end_name(theirs.end), "root");
	assert_string_equal(unwind_end_name(ours.end), "root");
	assert_int_equal(theirs.count, ours.count);
	for (size_t i = 0; i < ours.count; i++) {
		assert_int_equal(theirs.frames[i].address, ours.frames[i].address);
		assert_int_equal(theirs.frames[i].is_return_address, ours.frames[i].is_return_address);
	}
}

void assert_short_dump_is_said(struct other_engine *other)
{
	struct unwind_stack stack = { .frames = other->theirs, .capacity = OTHER_ENGINE_FRAMES };
	struct unwind_input input;
	ucontext_t context;

	getcontext(&context);
	own_input_init(&input, &other->process, &context, 16);
	other->walk(other->engine, &input, &stack);
	own_input_fini(&input);
	assert_string_equal(unwind_end_name(stack.end), "stack exhausted");
	assert_int_equal(stack.count, 1);
}
