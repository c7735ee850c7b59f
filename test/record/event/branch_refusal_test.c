#include "record/event/event_refusal.h"

#include <string.h>

#include "support/cmocka.h"
#include "support/temp_tree.h"

static const struct perf_event_attr cycles = { .type = PERF_TYPE_HARDWARE,
					       .branch_sample_type = PERF_SAMPLE_BRANCH_ANY };

static void assert_explained(const struct temp_tree *tree, const struct perf_event_attr *attr,
			     uint64_t refused, const char *expected)
{
	struct error err = { 0 };

	assert_int_equal(branch_refusal_explain(attr, "cycles", refused, tree->root, &err), -1);
	if (!strstr(err.message, expected))
		fail_msg("%s", err.message);
}

static void events_of_software_have_no_branches(void **state)
{
	const struct perf_event_attr clock = { .type = PERF_TYPE_SOFTWARE };

	assert_explained(*state, &clock, 0,
			 "software events have none; try -e cycles, or leave -b and -j out");
}

static void without_a_pmu_nothing_keeps_branches(void **state)
{
	const struct perf_event_attr calls = { .branch_sample_type = PERF_SAMPLE_BRANCH_CALL_STACK };

	assert_explained(*state, &cycles, 0, "this machine has no hardware counters (a virtual machine?)");
	assert_explained(*state, &calls, 0, "use --call-graph auto for call stacks");
}

static void a_pmu_may_keep_no_branches(void **state)
{
	temp_tree_file(*state, "cpu/type", "4\n");
	assert_explained(*state, &cycles, PERF_SAMPLE_BRANCH_ANY, "PMU cpu does not record branches");
}

static void amd_brs_wants_its_own_event(void **state)
{
	temp_tree_file(*state, "cpu/type", "4\n");
	temp_tree_file(*state, "cpu/caps/branches", "16\n");
	temp_tree_file(*state, "cpu/events/branch-brs", "event=0xc4\n");
	assert_explained(*state, &cycles, PERF_SAMPLE_BRANCH_ANY, "try -b -e cpu/branch-brs/ -c 1000003");
}

static void filters_that_the_cpu_does_not_have_are_named(void **state)
{
	temp_tree_file(*state, "armv8_pmuv3_0/type", "8\n");
	temp_tree_file(*state, "armv8_pmuv3_0/caps/branches", "32\n");
	assert_explained(*state, &cycles, PERF_SAMPLE_BRANCH_IN_TX | PERF_SAMPLE_BRANCH_NO_TX,
			 "the branches of PMU armv8_pmuv3_0 cannot be filtered by in_tx, no_tx; try -b");
	assert_explained(*state, &cycles, PERF_SAMPLE_BRANCH_CALL_STACK,
			 "by stack; only Intel CPUs since Haswell can do that; use --call-graph auto");
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, temp_tree_set_up, temp_tree_tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(events_of_software_have_no_branches),
		TEST(without_a_pmu_nothing_keeps_branches),
		TEST(a_pmu_may_keep_no_branches),
		TEST(amd_brs_wants_its_own_event),
		TEST(filters_that_the_cpu_does_not_have_are_named),
	};

	return cmocka_run_group_tests_name("record/event/branch_refusal", tests, NULL, NULL);
}
