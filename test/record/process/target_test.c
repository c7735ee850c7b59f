#include "record/process/target.h"

#include <stdio.h>
#include <string.h>

#include "support/cmocka.h"
#include "support/temp_tree.h"

/* Two processes, 10 with threads 10, 11, 12 and 20 with one, on a machine with CPUs 0, 1, 2 and 5. */
struct machine {
	struct temp_tree tree;
	char proc[128], sys[128];
	struct target_roots roots;
};

static int set_up(void **state)
{
	static struct machine machine;
	struct temp_tree *tree = &machine.tree;

	temp_tree_create(tree);
	temp_tree_file(tree, "proc/10/status", "Name:\ta\nTgid:\t10\nPid:\t10\n");
	temp_tree_file(tree, "proc/11/status", "Name:\ta\nTgid:\t10\nPid:\t11\n");
	temp_tree_file(tree, "proc/10/task/10/comm", "a\n");
	temp_tree_file(tree, "proc/10/task/11/comm", "a\n");
	temp_tree_file(tree, "proc/10/task/12/comm", "a\n");
	temp_tree_file(tree, "proc/20/task/20/comm", "b\n");
	temp_tree_file(tree, "proc/self/x", "");
	temp_tree_file(tree, "proc/99x/x", "");
	temp_tree_file(tree, "sys/devices/system/cpu/online", "0-2,5\n");
	snprintf(machine.proc, sizeof(machine.proc), "%s/proc", tree->root);
	snprintf(machine.sys, sizeof(machine.sys), "%s/sys", tree->root);
	machine.roots = (struct target_roots){ machine.proc, machine.sys };
	*state = &machine;
	return 0;
}

static int tear_down(void **state)
{
	temp_tree_remove(&((struct machine *)*state)->tree);
	return 0;
}

static struct target resolve(void **state, struct target_request request)
{
	const struct machine *machine = *state;
	struct error err = { 0 };
	struct target target;

	if (target_resolve(&target, &request, &machine->roots, &err) < 0)
		fail_msg("%s", err.message);
	return target;
}

static void assert_refused(void **state, struct target_request request, const char *expected)
{
	const struct machine *machine = *state;
	struct error err = { 0 };
	struct target target;

	assert_int_equal(target_resolve(&target, &request, &machine->roots, &err), -1);
	assert_string_equal(err.message, expected);
}

static bool has_thread(const struct target *target, pid_t pid, pid_t tid)
{
	for (size_t i = 0; i < target->thread_count; i++)
		if (target->threads[i].pid == pid && target->threads[i].tid == tid)
			return true;
	return false;
}

static void the_whole_system_is_any_thread_on_every_online_cpu(void **state)
{
	struct target target = resolve(state, (struct target_request){ .system_wide = true });

	assert_true(target.any_thread);
	assert_int_equal(target.thread_count, 1);
	assert_int_equal(target.threads[0].tid, -1);
	assert_int_equal(target.cpu_count, 4);
	assert_int_equal(target.cpus[3], 5);
	target_fini(&target);
}

static void processes_are_taken_with_all_their_threads(void **state)
{
	struct target target = resolve(state, (struct target_request){ .pids = "10,20" });

	assert_false(target.any_thread);
	assert_int_equal(target.thread_count, 4);
	assert_true(has_thread(&target, 10, 12));
	assert_true(has_thread(&target, 20, 20));
	target_fini(&target);
}

static void processes_are_taken_by_name(void **state)
{
	const struct machine *machine = *state;
	struct target target;

	temp_tree_file(&machine->tree, "proc/10/comm", "server\n");
	temp_tree_file(&machine->tree, "proc/20/comm", "client\n");
	target = resolve(state, (struct target_request){ .pids = "server" });
	assert_int_equal(target.thread_count, 3);
	assert_true(has_thread(&target, 10, 12));
	target_fini(&target);
}

static void a_process_that_is_named_twice_is_taken_once(void **state)
{
	const struct machine *machine = *state;
	struct target target;

	temp_tree_file(&machine->tree, "proc/10/comm", "server\n");
	target = resolve(state, (struct target_request){ .pids = "20,server,10,20" });
	assert_int_equal(target.thread_count, 4);
	assert_int_equal(target.threads[0].tid, 10);
	assert_int_equal(target.threads[3].tid, 20);
	target_fini(&target);
}

static void a_thread_is_taken_alone_and_knows_its_process(void **state)
{
	struct target target = resolve(state, (struct target_request){ .tids = "11" });

	assert_int_equal(target.thread_count, 1);
	assert_true(has_thread(&target, 10, 11));
	target_fini(&target);
}

static void a_thread_that_was_not_there_before_is_growth(void **state)
{
	struct target before = resolve(state, (struct target_request){ .pids = "10,20" });
	struct machine *machine = *state;
	struct target now;

	assert_false(target_has_grown(&before, &before));
	temp_tree_file(&machine->tree, "proc/10/task/13/comm", "a\n");
	now = resolve(state, (struct target_request){ .pids = "10,20" });
	assert_true(target_has_grown(&before, &now));
	assert_false(target_has_grown(&now, &before)); /* one thread has ended, none is new */
	target_fini(&before);
	target_fini(&now);
}

static void cpus_are_any_thread_unless_threads_are_named(void **state)
{
	struct target any = resolve(state, (struct target_request){ .cpus = "5,1-2,1" });
	struct target one = resolve(state, (struct target_request){ .cpus = "0", .pids = "20" });

	assert_true(any.any_thread);
	assert_int_equal(target_sampled_count(&any), 3);
	assert_true(target_samples_cpu(&any, 1) && target_samples_cpu(&any, 5));
	assert_false(target_samples_cpu(&any, 0));
	assert_int_equal(any.cpu_count, 4); /* all report processes and mappings */
	assert_false(one.any_thread);
	assert_int_equal(target_sampled_count(&one), 1);
	assert_int_equal(one.cpu_count, 4);
	target_fini(&any);
	target_fini(&one);
}

static void without_a_wish_only_the_cpus_are_known(void **state)
{
	struct target target = resolve(state, (struct target_request){ 0 });

	assert_int_equal(target.thread_count, 0);
	assert_int_equal(target.cpu_count, 4);
	assert_int_equal(target_sampled_count(&target), 4);
	target_fini(&target);
}

static void what_is_not_there_is_an_error_that_names_it(void **state)
{
	assert_refused(state, (struct target_request){ .pids = "10,77" }, "-p 77: no such process");
	assert_refused(state, (struct target_request){ .pids = "bash" }, "-p bash: no process has this name");
	assert_refused(state, (struct target_request){ .pids = "-5" }, "-p -5: no process has this name");
	assert_refused(state, (struct target_request){ .pids = "99999999999999" },
		       "-p 99999999999999: not a process id");
	assert_refused(state, (struct target_request){ .pids = "" }, "'' names no process or thread");
	assert_refused(state, (struct target_request){ .tids = "13" }, "-t 13: no such thread");
	assert_refused(state, (struct target_request){ .user = "no such user" },
		       "-u no such user: no such user");
	assert_refused(state, (struct target_request){ .user = "4000000000" },
		       "-u 4000000000: no process of this user is running");
	assert_refused(state, (struct target_request){ .cpus = "3" },
		       "-C 3: this CPU is not online (online: 0-2,5)");
	assert_refused(state, (struct target_request){ .cpus = "0-" },
		       "-C: '0-' is not a list of CPUs: write it as 0,2-3");
	assert_refused(state, (struct target_request){ .cpus = "0-99999999999" },
		       "-C: '0-99999999999' is not a list of CPUs: write it as 0,2-3");
}

static void cpus_that_may_come_are_behind_those_that_are_online(void **state)
{
	const struct machine *machine = *state;
	struct target target;

	temp_tree_file(&machine->tree, "sys/devices/system/cpu/possible", "0-6\n");
	target = resolve(state, (struct target_request){ .system_wide = true });
	assert_int_equal(target.cpu_count, 4);
	assert_int_equal(target.away_count, 3);
	assert_int_equal(target.cpus[3], 5);
	assert_int_equal(target.cpus[4], 3);
	assert_int_equal(target.cpus[5], 4);
	assert_int_equal(target.cpus[6], 6);
	assert_true(target_has_cpu(&target, 5) && !target_has_cpu(&target, 4));
	assert_true(target_samples_cpu(&target, 4));
	target_fini(&target);
	target = resolve(state, (struct target_request){ .cpus = "0-1" });
	assert_int_equal(target.away_count, 3);
	assert_false(target_samples_cpu(&target, 4));
	target_fini(&target);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_whole_system_is_any_thread_on_every_online_cpu),
		cmocka_unit_test(processes_are_taken_with_all_their_threads),
		cmocka_unit_test(processes_are_taken_by_name),
		cmocka_unit_test(a_process_that_is_named_twice_is_taken_once),
		cmocka_unit_test(a_thread_is_taken_alone_and_knows_its_process),
		cmocka_unit_test(a_thread_that_was_not_there_before_is_growth),
		cmocka_unit_test(cpus_are_any_thread_unless_threads_are_named),
		cmocka_unit_test(without_a_wish_only_the_cpus_are_known),
		cmocka_unit_test(what_is_not_there_is_an_error_that_names_it),
		cmocka_unit_test_setup_teardown(cpus_that_may_come_are_behind_those_that_are_online, set_up,
						tear_down),
	};

	return cmocka_run_group_tests_name("record/process/target", tests, set_up, tear_down);
}
