#include "record/cpu_watch.h"

#include <stdio.h>
#include <string.h>

#include "support/cmocka.h"
#include "support/temp_tree.h"

static struct cpu_watch *watch_over(const struct temp_tree *tree)
{
	char sys[128];
	struct cpu_watch *watch;

	snprintf(sys, sizeof(sys), "%s/sys", tree->root);
	watch = cpu_watch_open(sys);
	(void)cpu_watch_look(watch); /* skips what the real machine announces */
	return watch;
}

static void the_list_of_cpus_is_read_again_when_it_changes(void **state)
{
	const struct temp_tree *tree = *state;
	struct cpu_watch *watch;

	temp_tree_file(tree, "sys/devices/system/cpu/online", "0-3\n");
	watch = watch_over(tree);
	assert_true(target_has_cpu(cpu_watch_online(watch), 2));
	temp_tree_file(tree, "sys/devices/system/cpu/online", "0-1,3\n");
	assert_true(cpu_watch_look(watch));
	assert_false(target_has_cpu(cpu_watch_online(watch), 2));
	assert_true(target_has_cpu(cpu_watch_online(watch), 3));
	cpu_watch_close(watch);
}

static void a_list_that_cannot_be_read_leaves_the_last_one(void **state)
{
	const struct temp_tree *tree = *state;
	struct cpu_watch *watch;

	temp_tree_file(tree, "sys/devices/system/cpu/online", "0-1\n");
	watch = watch_over(tree);
	temp_tree_file(tree, "sys/devices/system/cpu/online", "none\n");
	(void)cpu_watch_look(watch);
	assert_true(target_has_cpu(cpu_watch_online(watch), 1));
	cpu_watch_close(watch);
}

static void a_machine_without_the_list_has_no_cpus_that_come(void **state)
{
	struct cpu_watch *watch = watch_over(*state);

	assert_false(target_has_cpu(cpu_watch_online(watch), 0));
	cpu_watch_close(watch);
}

static bool is_about_cpu(const char *message)
{
	return cpu_watch_is_about_cpu(message, strlen(message) + 1);
}

static void announcements_of_cpus_are_told_from_others(void **state)
{
	(void)state;
	assert_true(is_about_cpu("online@/devices/system/cpu/cpu1"));
	assert_true(is_about_cpu("offline@/devices/system/cpu/cpu12"));
	assert_false(is_about_cpu("online@/devices/system/cpu/cpu"));
	assert_false(is_about_cpu("add@/devices/virtual/net/veth1"));
	assert_false(is_about_cpu("libudev"));
	assert_false(cpu_watch_is_about_cpu("", 0));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(the_list_of_cpus_is_read_again_when_it_changes,
						temp_tree_set_up, temp_tree_tear_down),
		cmocka_unit_test_setup_teardown(a_list_that_cannot_be_read_leaves_the_last_one,
						temp_tree_set_up, temp_tree_tear_down),
		cmocka_unit_test_setup_teardown(a_machine_without_the_list_has_no_cpus_that_come,
						temp_tree_set_up, temp_tree_tear_down),
		cmocka_unit_test(announcements_of_cpus_are_told_from_others),
	};

	return cmocka_run_group_tests_name("record/cpu_watch", tests, NULL, NULL);
}
