#include "report/remedy/run_time_code.h"

#include "support/cmocka.h"
#include "support/profile_builder.h"

static void add(struct profile *p, const char *who, const char *stack, enum stack_end end, uint64_t count)
{
	const uint32_t event = builder_event(p, "cycles");
	const uint32_t leaf = builder_add(p, event, who, stack, 0, 0);
	const uint32_t last = profile_sample_count(p) - 1;

	profile_add(p, &(struct profile_sample){ .event = event,
						 .thread = profile_sample_at(p, last)->thread,
						 .cpu = PROFILE_NONE,
						 .stack = leaf,
						 .end = end,
						 .count = count });
}

static void assert_most(struct profile *p, const char *expected)
{
	const char *found = run_time_advice_for_most(p);

	if (expected)
		assert_string_equal(found, expected);
	else
		assert_null(found);
	profile_destroy(p);
}

static void a_runtime_is_known_by_other_stacks_of_its_process(void **state)
{
	struct profile *p = profile_create();

	(void)state;
	add(p, "worker 7/8", "libguile-3.0.so.1`scm_eval;//anon`f", STACK_END_ROOT, 1);
	add(p, "other 7/9", "//anon`g", STACK_END_NO_CFI, 1);
	assert_most(p, "set GUILE_JIT_THRESHOLD=-1 for it, which compiles nothing");
}

static void a_runtime_is_known_by_its_name_where_no_stack_tells(void **state)
{
	struct profile *p = profile_create();

	(void)state;
	add(p, "pypy3 7/7", "//anon`g", STACK_END_NO_CFI, 1);
	assert_most(p, "run 'pypy3 --jit off', which compiles nothing");
}

/* One process runs one program after another. */
static void what_ran_before_in_the_process_does_not_count(void **state)
{
	struct profile *p = profile_create();

	(void)state;
	add(p, "luajit 7/7", "libluajit-5.1.so.2`lj_trace", STACK_END_ROOT, 9);
	add(p, "guile 7/7", "libguile-3.0.so.1`scm_eval", STACK_END_ROOT, 1);
	add(p, "guile 7/7", "//anon`g", STACK_END_NO_CFI, 1);
	assert_most(p, "set GUILE_JIT_THRESHOLD=-1 for it, which compiles nothing");
}

static void the_runtime_with_more_than_half_of_what_ends_is_told(void **state)
{
	struct profile *p = profile_create();

	(void)state;
	add(p, "luajit 7/7", "//anon`f", STACK_END_NO_CFI, 3);
	add(p, "mono 8/8", "//anon`g", STACK_END_NO_CFI, 1);
	add(p, "ld 9/9", "libx.so`f", STACK_END_NO_CFI, 1);
	assert_most(p, "run 'luajit -joff', which compiles nothing");
	p = profile_create();
	add(p, "luajit 7/7", "//anon`f", STACK_END_NO_CFI, 1);
	add(p, "ld 9/9", "libx.so`f", STACK_END_NO_CFI, 1);
	assert_most(p, NULL);
}

static void nothing_is_told_of_stacks_that_end_in_files(void **state)
{
	struct profile *p = profile_create();

	(void)state;
	add(p, "luajit 7/7", "libluajit-5.1.so.2`lj_trace", STACK_END_NO_CFI, 1);
	add(p, "web 8/8", "//anon`f", STACK_END_NO_CFI, 1);
	assert_most(p, NULL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_runtime_is_known_by_other_stacks_of_its_process),
		cmocka_unit_test(a_runtime_is_known_by_its_name_where_no_stack_tells),
		cmocka_unit_test(what_ran_before_in_the_process_does_not_count),
		cmocka_unit_test(the_runtime_with_more_than_half_of_what_ends_is_told),
		cmocka_unit_test(nothing_is_told_of_stacks_that_end_in_files),
	};

	return cmocka_run_group_tests_name("report/remedy/run_time_code", tests, NULL, NULL);
}
