#include "support/engine_libdw.h"

#include "support/cmocka.h"
#include "support/other_engine.h"

static void walk(void *engine, const struct unwind_input *input, struct unwind_stack *stack)
{
	engine_libdw_walk(engine, input, stack);
}

static void init(struct other_engine *libdw)
{
	libdw->walk = walk;
	libdw->engine = engine_libdw_create();
	other_engine_init(libdw);
}

static void fini(struct other_engine *libdw)
{
	other_engine_fini(libdw);
	engine_libdw_destroy(libdw->engine);
}

static void libdw_sees_the_same_stack(void **state)
{
	struct other_engine libdw;

	(void)state;
	init(&libdw);
	assert_same_stack_here(&libdw);
	assert_same_stack_here(&libdw); /* once more, with what it has cached */
	fini(&libdw);
}

static void short_dump_is_said(void **state)
{
	struct other_engine libdw;

	(void)state;
	init(&libdw);
	assert_short_dump_is_said(&libdw);
	fini(&libdw);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(libdw_sees_the_same_stack),
		cmocka_unit_test(short_dump_is_said),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
