#include "unwind/engine_libunwind.h"

#include <signal.h>

#include "support/cmocka.h"
#include "support/other_engine.h"

static struct other_engine *current;

static void walk(void *engine, const struct unwind_input *input, struct unwind_stack *stack)
{
	engine_libunwind_walk(engine, input, stack);
}

static void init(struct other_engine *libunwind)
{
	struct error err;

	libunwind->walk = walk;
	libunwind->engine = engine_libunwind_create(&err);
	if (!libunwind->engine) {
		print_message("%s\n", err.message);
		skip();
	}
	other_engine_init(libunwind);
	current = libunwind;
}

static void fini(struct other_engine *libunwind)
{
	other_engine_fini(libunwind);
	engine_libunwind_destroy(libunwind->engine);
}

static void libunwind_sees_the_same_stack(void **state)
{
	struct other_engine libunwind;

	(void)state;
	init(&libunwind);
	assert_same_stack_here(&libunwind);
	assert_same_stack_here(&libunwind); /* from its cache */
	fini(&libunwind);
}

static void on_signal(int number)
{
	(void)number;
	assert_same_stack_here(current);
}

static void libunwind_sees_the_same_stack_through_a_signal(void **state)
{
	struct sigaction action = { .sa_handler = on_signal }, before;
	struct other_engine libunwind;

	(void)state;
	init(&libunwind);
	sigaction(SIGUSR1, &action, &before);
	raise(SIGUSR1);
	sigaction(SIGUSR1, &before, NULL);
	fini(&libunwind);
}

static void short_dump_is_said(void **state)
{
	struct other_engine libunwind;

	(void)state;
	init(&libunwind);
	assert_short_dump_is_said(&libunwind);
	fini(&libunwind);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(libunwind_sees_the_same_stack),
		cmocka_unit_test(libunwind_sees_the_same_stack_through_a_signal),
		cmocka_unit_test(short_dump_is_said),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
