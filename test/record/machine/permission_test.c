#include "record/machine/permission.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "support/cmocka.h"
#include "support/temp_tree.h"

static void a_refusal_names_the_setting_and_the_ways_out(void **state)
{
	struct error err = { 0 };

	(void)state;
	assert_int_equal(permission_explain(&err, EACCES, "cycles", -1), -1);
	assert_non_null(strstr(err.message, "cannot open cycles for the whole system: permission denied "
					    "(kernel.perf_event_paranoid is "));
	assert_non_null(strstr(err.message, "'sysctl kernel.perf_event_paranoid=0'"));
	assert_non_null(strstr(err.message, "cap_perfmon"));
	assert_non_null(strstr(err.message, "seccomp"));
	assert_null(strchr(err.message, '\n'));
	assert_int_equal(err.errno_value, EACCES);
}

static void the_own_process_needs_less_than_the_whole_system(void **state)
{
	struct error err = { 0 };

	(void)state;
	permission_explain(&err, EACCES, "cycles", getpid());
	assert_non_null(strstr(err.message, "'sysctl kernel.perf_event_paranoid=1'"));
	assert_null(strstr(err.message, "whole system"));
}

static void root_is_refused_only_by_a_containers_filter(void **state)
{
	struct error err = { 0 };

	(void)state;
	if (geteuid() != 0)
		skip();
	permission_explain(&err, EPERM, "cycles", -1);
	assert_non_null(strstr(err.message, "a container's seccomp filter forbids perf_event_open"));
}

static void capabilities_are_bits_of_the_status(void **state)
{
	const struct temp_tree *tree = *state;

	assert_false(permission_has_perfmon(tree->root));
	temp_tree_file(tree, "self/status",
		       "Name:\tx\nCapPrm:\tffffffffffffffff\nCapEff:\t0000000000004000\n");
	assert_true(permission_has(tree->root, PERMISSION_IPC_LOCK));
	assert_false(permission_has_perfmon(tree->root));
	temp_tree_file(tree, "self/status", "Name:\tx\nCapEff:\t0000004000000000\n");
	assert_true(permission_has_perfmon(tree->root));
	temp_tree_file(tree, "self/status", "Name:\tx\nCapEff:\t0000000000200000\n");
	assert_true(permission_has_perfmon(tree->root));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_refusal_names_the_setting_and_the_ways_out),
		cmocka_unit_test(the_own_process_needs_less_than_the_whole_system),
		cmocka_unit_test(root_is_refused_only_by_a_containers_filter),
		cmocka_unit_test_setup_teardown(capabilities_are_bits_of_the_status, temp_tree_set_up,
						temp_tree_tear_down),
	};

	return cmocka_run_group_tests_name("record/machine/permission", tests, NULL, NULL);
}
