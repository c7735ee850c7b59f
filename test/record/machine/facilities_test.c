#include "record/machine/facilities.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "support/cmocka.h"
#include "support/temp_tree.h"

/* A kernel that lets this user observe only his own programs, on a machine without hardware counters. */
static int open_as_user(const struct perf_event_attr *attr, pid_t pid, int cpu, int group_fd,
			unsigned long flags)
{
	(void)cpu;
	(void)group_fd;
	(void)flags;
	if (attr->type == PERF_TYPE_HARDWARE)
		errno = ENOENT;
	else if (pid == -1 || !attr->exclude_kernel)
		errno = EACCES;
	else
		return dup(0);
	return -1;
}

static int refuse_copies(struct error *err)
{
	return error_set(err, "no BPF here");
}

static int allow_copies(struct error *err)
{
	snprintf(err->message, sizeof(err->message), "%s", "of an attempt before");
	return 0;
}

static int waits_at_exit(struct error *err)
{
	snprintf(err->message, sizeof(err->message), "%s", "of an attempt before");
	return 1;
}

static const struct perf_calls user_calls = { .open = open_as_user };

static struct facilities ask(const struct temp_tree *tree, const char *tracefs,
			     int (*try_copies)(struct error *))
{
	const struct facility_sources sources = { .proc = tree->root,
						  .calls = &user_calls,
						  .tracefs = tracefs,
						  .try_stack_copies = try_copies,
						  .try_waits = try_copies };
	struct facilities facilities;

	facilities_ask(&facilities, &sources);
	return facilities;
}

static void events_are_tried_out(void **state)
{
	const struct facilities facilities = ask(*state, NULL, refuse_copies);

	assert_int_equal(facilities.own_errno, 0);
	assert_int_equal(facilities.kernel_errno, EACCES);
	assert_int_equal(facilities.system_errno, EACCES);
	assert_int_equal(facilities.cycles_errno, ENOENT);
	assert_int_equal(facilities.branch_errno, ENOENT);
	assert_int_equal(facilities.feature_errno[ATTR_FEATURE_BUILD_ID], 0);
}

static void settings_are_read(void **state)
{
	const struct temp_tree *tree = *state;
	struct facilities facilities;

	temp_tree_file(tree, "sys/kernel/perf_event_mlock_kb", "1000\n");
	temp_tree_file(tree, "sys/kernel/perf_event_max_sample_rate", "25000\n");
	temp_tree_file(tree, "sys/kernel/perf_event_max_stack", "512\n");
	temp_tree_file(tree, "mounts", "none /cg cgroup2 rw 0 0\n");
	facilities = ask(tree, NULL, refuse_copies);
	assert_int_equal(facilities.mlock_cpu_bytes, 1024000);
	assert_int_equal(facilities.max_sample_rate, 25000);
	assert_int_equal(facilities.max_stack, 512);
	assert_int_equal(facilities.cgroups.version, 2);
	assert_string_equal(facilities.cgroups.root, "/cg");
}

static void settings_that_are_not_there_have_the_kernels_defaults(void **state)
{
	const struct facilities facilities = ask(*state, NULL, refuse_copies);

	assert_int_equal(facilities.mlock_cpu_bytes, 516 * 1024);
	assert_int_equal(facilities.max_stack, 127);
	assert_int_equal(facilities.cgroups.version, 0);
	assert_false(facilities.has_procmap_query);
	assert_false(facilities.shows_kernel_addresses);
}

static void the_reason_of_no_copies_is_kept(void **state)
{
	assert_string_equal(ask(*state, NULL, refuse_copies).no_stack_copies.message, "no BPF here");
	assert_string_equal(ask(*state, NULL, allow_copies).no_stack_copies.message, "");
}

static void waits_are_tried_out(void **state)
{
	assert_string_equal(ask(*state, NULL, refuse_copies).no_waits.message, "no BPF here");
	assert_string_equal(ask(*state, NULL, allow_copies).no_waits.message, "");
	assert_false(ask(*state, NULL, allow_copies).copies_at_exit);
	assert_string_equal(ask(*state, NULL, waits_at_exit).no_waits.message, "");
	assert_true(ask(*state, NULL, waits_at_exit).copies_at_exit);
}

static void locked_memory_is_not_limited_with_the_capability(void **state)
{
	const struct temp_tree *tree = *state;

	if (ask(tree, NULL, refuse_copies).paranoid_level < 0)
		skip(); /* then nothing is limited */
	temp_tree_file(tree, "self/status", "Name:\tx\nCapEff:\t0000000000000000\n");
	assert_false(ask(tree, NULL, refuse_copies).may_lock_all);
	assert_false(ask(tree, NULL, refuse_copies).has_perfmon);
	temp_tree_file(tree, "self/status", "Name:\tx\nCapEff:\t0000000000004000\n");
	assert_true(ask(tree, NULL, refuse_copies).may_lock_all);
}

static void tracepoints_are_read_or_not(void **state)
{
	const struct temp_tree *tree = *state;

	assert_false(ask(tree, tree->root, refuse_copies).reads_tracefs);
	temp_tree_file(tree, "events/sched/sched_switch/id", "316\n");
	assert_true(ask(tree, tree->root, refuse_copies).reads_tracefs);
	assert_false(ask(tree, NULL, refuse_copies).reads_tracefs);
}

#define ASKING_TEST(name) cmocka_unit_test_setup_teardown(name, temp_tree_set_up, temp_tree_tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
		ASKING_TEST(events_are_tried_out),
		ASKING_TEST(settings_are_read),
		ASKING_TEST(settings_that_are_not_there_have_the_kernels_defaults),
		ASKING_TEST(the_reason_of_no_copies_is_kept),
		ASKING_TEST(waits_are_tried_out),
		ASKING_TEST(locked_memory_is_not_limited_with_the_capability),
		ASKING_TEST(tracepoints_are_read_or_not),
	};

	return cmocka_run_group_tests_name("record/machine/facilities", tests, NULL, NULL);
}
