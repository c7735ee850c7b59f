#include "record/process/process_name.h"

#include <stdio.h>

#include "support/cmocka.h"
#include "support/temp_tree.h"

/* Writes process 7 as /proc shows it. */
static void has(const struct temp_tree *tree, const char *comm, const char *cmdline, size_t cmdline_size)
{
	temp_tree_file(tree, "7/comm", comm);
	temp_tree_bytes(tree, "7/cmdline", cmdline, cmdline_size);
}

static bool is_named(const struct temp_tree *tree, const char *name)
{
	return process_name_is(tree->root, 7, name);
}

static void a_process_is_called_as_its_comm(void **state)
{
	static const char cmdline[] = "nginx: worker process";

	has(*state, "nginx\n", cmdline, sizeof(cmdline));
	assert_true(is_named(*state, "nginx"));
	assert_false(is_named(*state, "ngin"));
	assert_false(is_named(*state, "nginx2"));
	assert_false(is_named(*state, ""));
}

static void a_process_that_renamed_itself_is_called_as_its_program_too(void **state)
{
	static const char cmdline[] = "/usr/lib/firefox/firefox\0-P";

	has(*state, "GeckoMain\n", cmdline, sizeof(cmdline));
	assert_true(is_named(*state, "firefox"));
	assert_true(is_named(*state, "GeckoMain"));
}

static void a_long_name_is_found_behind_the_cut_one(void **state)
{
	static const char program[] = "/opt/a_very_long_name_of_a_program\0-x";
	static const char script[] = "/bin/sh\0/opt/a_very_long_name_of_a_script\0-x";

	has(*state, "a_very_long_nam\n", program, sizeof(program));
	assert_true(is_named(*state, "a_very_long_name_of_a_program"));
	assert_false(is_named(*state, "a_very_long_name_of_another"));
	has(*state, "a_very_long_nam\n", script, sizeof(script));
	assert_true(is_named(*state, "a_very_long_name_of_a_script"));
}

static void the_file_that_a_program_reads_is_not_its_name(void **state)
{
	static const char cmdline[] = "vim\0/etc/nginx";

	has(*state, "vim\n", cmdline, sizeof(cmdline));
	assert_false(is_named(*state, "nginx"));
	assert_true(is_named(*state, "vim"));
}

static void a_kernel_thread_has_a_comm_alone(void **state)
{
	has(*state, "kswapd0\n", "", 0);
	assert_true(is_named(*state, "kswapd0"));
	assert_false(is_named(*state, "kswapd"));
}

static void a_process_that_has_ended_has_no_name(void **state)
{
	assert_false(is_named(*state, "nginx"));
}

#define NAME_TEST(name) cmocka_unit_test_setup_teardown(name, temp_tree_set_up, temp_tree_tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
		NAME_TEST(a_process_is_called_as_its_comm),
		NAME_TEST(a_process_that_renamed_itself_is_called_as_its_program_too),
		NAME_TEST(a_long_name_is_found_behind_the_cut_one),
		NAME_TEST(the_file_that_a_program_reads_is_not_its_name),
		NAME_TEST(a_kernel_thread_has_a_comm_alone),
		NAME_TEST(a_process_that_has_ended_has_no_name),
	};

	return cmocka_run_group_tests_name("record/process/process_name", tests, NULL, NULL);
}
