#include "report/load/branch_samples.h"

#include <linux/perf_event.h>
#include <string.h>

#include "format/branch_entry.h"
#include "support/cmocka.h"

static const uint64_t words[] = { 0x100, 0x200, 2, 0x300, 0x400, 1 }; /* from, to, flags of two branches */

static struct stream_sample two_branches(void)
{
	return (struct stream_sample){
		.sample = { .ip = 0x99,
			    .pid = 7,
			    .misc = PERF_RECORD_MISC_KERNEL | PERF_RECORD_MISC_EXACT_IP,
			    .present = PERF_SAMPLE_IP | PERF_SAMPLE_CALLCHAIN | PERF_SAMPLE_BRANCH_STACK,
			    .callchain = (const uint8_t *)words,
			    .callchain_count = 2,
			    .user_stack = (const uint8_t *)words,
			    .user_stack_size = 16,
			    .branches = (const uint8_t *)words,
			    .branch_count = 2,
			    .period = 5000 },
		.period = 5000,
	};
}

static void a_branch_is_a_sample_at_its_target(void **state)
{
	struct process_table *processes = process_table_create();
	const struct stream_sample sample = two_branches();
	struct stream_sample branch;

	(void)state;
	branch_sample_make(&branch, &sample, 1, processes);
	assert_int_equal(branch.sample.ip, 0x400);
	assert_int_equal(branch.sample.misc, PERF_RECORD_MISC_USER | PERF_RECORD_MISC_EXACT_IP);
	assert_int_equal(branch.period, 1);
	assert_int_equal(branch.sample.branch_count, 1);
	assert_int_equal(sample_branch(&branch.sample, 0).from, 0x300);
	assert_true(sample_branch(&branch.sample, 0).mispredicted);
	process_table_destroy(processes);
}

static void it_has_no_callers(void **state)
{
	struct process_table *processes = process_table_create();
	const struct stream_sample sample = two_branches();
	struct stream_sample branch;

	(void)state;
	branch_sample_make(&branch, &sample, 0, processes);
	assert_null(branch.sample.callchain);
	assert_int_equal(branch.sample.callchain_count, 0);
	assert_int_equal(branch.sample.user_stack_size, 0);
	assert_int_equal(branch.sample.present, PERF_SAMPLE_IP | PERF_SAMPLE_BRANCH_STACK);
	assert_int_equal(sample.sample.callchain_count, 2);
	process_table_destroy(processes);
}

static void an_end_that_nothing_is_mapped_at_keeps_its_address(void **state)
{
	struct process_table *processes = process_table_create();
	const struct branch_place place = branch_place_find(processes, 7, 1, 0x1234);

	(void)state;
	assert_null(place.dso);
	assert_int_equal(place.address, 0x1234);
	assert_false(place.is_kernel);
	process_table_destroy(processes);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_branch_is_a_sample_at_its_target),
		cmocka_unit_test(it_has_no_callers),
		cmocka_unit_test(an_end_that_nothing_is_mapped_at_keeps_its_address),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
