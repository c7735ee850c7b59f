#include "report/names/stack_beginning.h"

#include "support/cmocka.h"
#include "support/profile_builder.h"

static void programs_threads_and_kernel_tasks_have_functions_that_they_begin_with(void **state)
{
	(void)state;
	assert_true(stack_beginning_is_root("_start", FRAME_USER));
	assert_true(stack_beginning_is_root("__clone3", FRAME_USER));
	assert_true(stack_beginning_is_root("ret_from_fork_asm", FRAME_KERNEL));
	assert_false(stack_beginning_is_root("main", FRAME_USER));
	assert_false(stack_beginning_is_root("ret_from_fork", FRAME_USER));
	assert_false(stack_beginning_is_root("entry_SYSCALL_64_after_hwframe", FRAME_KERNEL));
}

/* The beginning of a stack with one frame. */
static enum stack_beginning beginning_of_frame(const char *frame)
{
	struct profile *profile = profile_create();
	const uint32_t node = builder_add(profile, builder_event(profile, "cycles"), "web 7/7", frame, 1, 1);
	const enum stack_beginning beginning = stack_beginning_of(profile, node);

	profile_destroy(profile);
	return beginning;
}

static void a_named_function_is_a_root_or_not(void **state)
{
	(void)state;
	assert_int_equal(beginning_of_frame("web`_start"), STACK_BEGINNING_ROOT);
	assert_int_equal(beginning_of_frame("[k]`ret_from_fork"), STACK_BEGINNING_ROOT);
	assert_int_equal(beginning_of_frame("[k]`_start"), STACK_BEGINNING_OTHER);
	assert_int_equal(beginning_of_frame("web`main"), STACK_BEGINNING_OTHER);
	assert_int_equal(beginning_of_frame("libc.so.6`malloc"), STACK_BEGINNING_OTHER);
}

static void stacks_of_android_begin_in_bionic(void **state)
{
	(void)state;
	assert_int_equal(beginning_of_frame("libc.so`__start_thread"), STACK_BEGINNING_ROOT);
	assert_int_equal(beginning_of_frame("libc.so`__libc_init"), STACK_BEGINNING_ROOT);
	assert_int_equal(beginning_of_frame("libc.so`__pthread_start"), STACK_BEGINNING_OTHER);
}

static void a_c_library_without_names_may_be_where_a_stack_begins(void **state)
{
	(void)state;
	assert_int_equal(beginning_of_frame("libc.so.6`0x1234"), STACK_BEGINNING_UNNAMED);
	assert_int_equal(beginning_of_frame("ld-musl-x86_64.so.1`0x1234"), STACK_BEGINNING_UNNAMED);
	assert_int_equal(beginning_of_frame("libcrypto.so.3`0x1234"), STACK_BEGINNING_OTHER);
}

static void what_lies_in_no_mapping_leaves_the_beginning_to_what_it_called(void **state)
{
	struct profile *profile = profile_create();
	const uint32_t leaf = builder_add(profile, builder_event(profile, "cycles"), "web 7/7",
					  "`0x1;web`_start;web`main", 1, 1);
	const uint32_t start = profile_stack_at(profile, leaf)->parent;
	enum stack_beginning beginning = STACK_BEGINNING_UNKNOWN;

	(void)state;
	beginning = stack_beginning_below(profile, beginning, profile_stack_at(profile, start)->parent);
	assert_int_equal(beginning, STACK_BEGINNING_UNKNOWN);
	beginning = stack_beginning_below(profile, beginning, start);
	assert_int_equal(beginning, STACK_BEGINNING_ROOT);
	assert_int_equal(stack_beginning_below(profile, beginning, leaf), STACK_BEGINNING_ROOT);
	profile_destroy(profile);
}

static void a_stack_with_a_root_is_complete_however_it_ended(void **state)
{
	static const enum stack_end ends[] = { STACK_END_CHAIN, STACK_END_DEPTH, STACK_END_DUMP,
					       STACK_END_NO_CFI };

	(void)state;
	for (size_t i = 0; i < sizeof(ends) / sizeof(*ends); i++)
		assert_int_equal(stack_beginning_end(STACK_BEGINNING_ROOT, ends[i]), STACK_END_ROOT);
}

static void only_a_chain_can_end_in_a_c_library_without_names(void **state)
{
	(void)state;
	assert_int_equal(stack_beginning_end(STACK_BEGINNING_UNNAMED, STACK_END_CHAIN), STACK_END_UNNAMED);
	assert_int_equal(stack_beginning_end(STACK_BEGINNING_UNNAMED, STACK_END_DEPTH), STACK_END_DEPTH);
}

static void no_other_end_is_changed(void **state)
{
	(void)state;
	for (int end = 0; end < STACK_END_COUNT; end++) {
		assert_int_equal(stack_beginning_end(STACK_BEGINNING_OTHER, (enum stack_end)end), end);
		assert_int_equal(stack_beginning_end(STACK_BEGINNING_UNKNOWN, (enum stack_end)end), end);
	}
	assert_int_equal(stack_beginning_end(STACK_BEGINNING_ROOT, STACK_END_NO_CHAIN), STACK_END_NO_CHAIN);
	assert_int_equal(stack_beginning_end(STACK_BEGINNING_ROOT, STACK_END_BAD_CFI), STACK_END_BAD_CFI);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(programs_threads_and_kernel_tasks_have_functions_that_they_begin_with),
		cmocka_unit_test(a_named_function_is_a_root_or_not),
		cmocka_unit_test(stacks_of_android_begin_in_bionic),
		cmocka_unit_test(a_c_library_without_names_may_be_where_a_stack_begins),
		cmocka_unit_test(what_lies_in_no_mapping_leaves_the_beginning_to_what_it_called),
		cmocka_unit_test(a_stack_with_a_root_is_complete_however_it_ended),
		cmocka_unit_test(only_a_chain_can_end_in_a_c_library_without_names),
		cmocka_unit_test(no_other_end_is_changed),
	};

	return cmocka_run_group_tests_name("report/names/stack_beginning", tests, NULL, NULL);
}
