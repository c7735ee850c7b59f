#include "unwind/engine_libdw.h"

#include <stdlib.h>

#include "support/cmocka.h"
#include "support/own_process.h"

enum { MAX_FRAMES = 64, STACK_BYTES = 64 << 10 };

struct both {
	struct own_process process;
	struct unwinder *unwinder;
	struct engine_libdw *engine;
	struct unwind_frame ours[MAX_FRAMES], theirs[MAX_FRAMES];
};

/* The same input to both. */
__attribute__((noinline)) static void compare_here(struct both *both)
{
	struct unwind_stack ours = { .frames = both->ours, .capacity = MAX_FRAMES };
	struct unwind_stack theirs = { .frames = both->theirs, .capacity = MAX_FRAMES };
	struct unwind_input input;
	ucontext_t context;

	getcontext(&context);
	own_input_init(&input, &both->process, &context, STACK_BYTES);
	unwinder_walk(both->unwinder, &input, &ours);
	engine_libdw_walk(both->engine, &input, &theirs);
	own_input_fini(&input);
	assert_string_equal(unwind_end_name(theirs.end), "root");
	assert_string_equal(unwind_end_name(ours.end), "root");
	assert_int_equal(theirs.count, ours.count);
	for (size_t i = 0; i < ours.count; i++) {
		assert_int_equal(theirs.frames[i].address, ours.frames[i].address);
		assert_int_equal(theirs.frames[i].is_return_address, ours.frames[i].is_return_address);
	}
}

static void init(struct both *both)
{
	both->engine = engine_libdw_create();
	own_process_init(&both->process);
	both->unwinder = unwinder_create();
}

static void fini(struct both *both)
{
	unwinder_destroy(both->unwinder);
	own_process_fini(&both->process);
	engine_libdw_destroy(both->engine);
}

static void libdw_sees_the_same_stack(void **state)
{
	struct both both;

	(void)state;
	init(&both);
	compare_here(&both);
	compare_here(&both); /* with what it knows by now */
	fini(&both);
}

static void short_dump_is_said(void **state)
{
	struct unwind_stack stack;
	struct unwind_input input;
	struct both both;
	ucontext_t context;

	(void)state;
	init(&both);
	stack = (struct unwind_stack){ .frames = both.theirs, .capacity = MAX_FRAMES };
	getcontext(&context);
	own_input_init(&input, &both.process, &context, 16);
	engine_libdw_walk(both.engine, &input, &stack);
	own_input_fini(&input);
	assert_string_equal(unwind_end_name(stack.end), "stack exhausted");
	assert_int_equal(stack.count, 1);
	fini(&both);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(libdw_sees_the_same_stack),
		cmocka_unit_test(short_dump_is_said),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
