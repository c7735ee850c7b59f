#include "record/drain_plan.h"

#include <stdio.h>

#include "support/cmocka.h"
#include "support/temp_tree.h"

enum { CPUS = 8 };

static const int cpus[CPUS] = { 0, 1, 2, 3, 4, 5, 6, 7 };

static struct temp_tree tree;

/* Two nodes of four CPUs (0, 2, 4, 6 and 1, 3, 5, 7); a core has two neighbouring CPUs. */
static int set_up(void **state)
{
	char path[96], list[32];

	(void)state;
	temp_tree_create(&tree);
	temp_tree_file(&tree, "devices/system/node/node0/cpulist", "0,2,4,6\n");
	temp_tree_file(&tree, "devices/system/node/node1/cpulist", "1,3,5,7\n");
	temp_tree_file(&tree, "devices/system/node/node2/cpulist", "\n");
	for (int cpu = 0; cpu < CPUS; cpu++) {
		snprintf(path, sizeof(path), "devices/system/cpu/cpu%d/topology/thread_siblings_list", cpu);
		snprintf(list, sizeof(list), "%d-%d\n", cpu & ~1, cpu | 1);
		temp_tree_file(&tree, path, list);
		snprintf(path, sizeof(path), "devices/system/cpu/cpu%d/topology/core_siblings_list", cpu);
		temp_tree_file(&tree, path, "0-7\n");
	}
	return 0;
}

static int tear_down(void **state)
{
	(void)state;
	temp_tree_remove(&tree);
	return 0;
}

/* Compares the lanes of the rings, as text. */
static void assert_lanes(const char *spec, const char *expected)
{
	struct drain_plan plan;
	char lanes[CPUS + 1] = "";

	drain_plan_make(&plan, spec, cpus, CPUS, tree.root);
	for (size_t i = 0; i < CPUS; i++) {
		assert_true(plan.lane_of_ring[i] < plan.lane_count);
		assert_true(CPU_ISSET((size_t)cpus[i], &plan.cpus[plan.lane_of_ring[i]]));
		lanes[i] = (char)('0' + plan.lane_of_ring[i]);
	}
	assert_string_equal(lanes, expected);
	assert_int_equal(plan.at_once, spec != NULL);
	drain_plan_fini(&plan);
}

static void cpus_that_share_something_have_a_lane(void **state)
{
	(void)state;
	assert_lanes("cpu", "01234567");
	assert_lanes("core", "00112233");
	assert_lanes("package", "00000000");
	assert_lanes("numa", "01010101");
}

static void lists_are_lanes_and_the_first_has_the_rest(void **state)
{
	(void)state;
	assert_lanes("0-3:4-7", "00001111");
	assert_lanes("0-1/0-7:2,4/1:6", "00101020");
}

static void by_itself_there_is_a_lane_for_each_node(void **state)
{
	(void)state;
	assert_lanes(NULL, "01010101");
}

static void without_sysfs_all_are_one(void **state)
{
	struct drain_plan plan;

	(void)state;
	drain_plan_make(&plan, NULL, cpus, CPUS, "/nonexistent");
	assert_int_equal(plan.lane_count, 1);
	assert_int_equal(plan.lane_of_ring[7], 0);
	drain_plan_fini(&plan);
}

static void a_large_node_has_several(void **state)
{
	int many[256];
	size_t of_lane[8] = { 0 };
	struct drain_plan plan;

	(void)state;
	for (int i = 0; i < 256; i++)
		many[i] = i;
	drain_plan_make(&plan, NULL, many, 256, "/nonexistent");
	assert_int_equal(plan.lane_count, 8);
	for (size_t i = 0; i < 256; i++)
		of_lane[plan.lane_of_ring[i]]++;
	for (size_t i = 0; i < 8; i++)
		assert_int_equal(of_lane[i], 32);
	drain_plan_fini(&plan);
}

static void there_are_no_more_lanes_than_that(void **state)
{
	int many[256];
	struct drain_plan plan;

	(void)state;
	for (int i = 0; i < 256; i++)
		many[i] = i;
	drain_plan_make(&plan, "cpu", many, 256, "/nonexistent");
	assert_int_equal(plan.lane_count, DRAIN_PLAN_MAX_LANES);
	assert_int_equal(plan.lane_of_ring[255], 255 % DRAIN_PLAN_MAX_LANES);
	drain_plan_fini(&plan);
}

static void what_perf_takes_is_taken_and_nothing_else(void **state)
{
	static const char *const good[] = { "cpu", "core", "package", "numa", "0", "0-3:4-7", "0/0:1/1" };
	static const char *const bad[] = { "", "node", "0-3::4", "x:0", "3-" };
	struct error err;

	(void)state;
	for (size_t i = 0; i < sizeof(good) / sizeof(good[0]); i++)
		assert_int_equal(drain_spec_check(good[i], &err), 0);
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		if (drain_spec_check(bad[i], &err) == 0)
			fail_msg("'%s' was taken", bad[i]);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(cpus_that_share_something_have_a_lane, set_up, tear_down),
		cmocka_unit_test_setup_teardown(lists_are_lanes_and_the_first_has_the_rest, set_up,
						tear_down),
		cmocka_unit_test_setup_teardown(by_itself_there_is_a_lane_for_each_node, set_up, tear_down),
		cmocka_unit_test(without_sysfs_all_are_one),
		cmocka_unit_test(a_large_node_has_several),
		cmocka_unit_test(there_are_no_more_lanes_than_that),
		cmocka_unit_test(what_perf_takes_is_taken_and_nothing_else),
	};

	return cmocka_run_group_tests_name("record/drain_plan", tests, NULL, NULL);
}
