#include "report/code/code_counts.h"

#include <linux/perf_event.h>

#include "support/cmocka.h"

/* Nothing is mapped, so addresses stay as they are, and no code is known to have run between branches. */
static void branches_are_added_up(void **state)
{
	const uint64_t words[] = { 0x100, 0x200, 1, 0x100, 0x200, 2, 0, 0, 0, 0x100, 0x300, 2 };
	const struct sample sample = {
		.present = PERF_SAMPLE_IP, .ip = 0x55, .branches = (const uint8_t *)words, .branch_count = 4
	};
	struct process_table *processes = process_table_create();
	struct code_counts counts = { 0 };

	(void)state;
	code_counts_add(&counts, &sample, 1, processes);
	code_counts_add(&counts, &sample, 1, processes);
	code_table_sort(&counts.branches);
	assert_int_equal(counts.samples, 2);
	assert_int_equal(counts.branch_samples, 2);
	assert_int_equal(counts.branches.count, 2);
	assert_int_equal(counts.branches.items[0].to.address, 0x200);
	assert_int_equal(counts.branches.items[0].count, 4);
	assert_int_equal(counts.branches.items[0].mispredicted, 2);
	assert_int_equal(counts.branches.items[1].count, 2);
	assert_int_equal(counts.addresses.items[0].count, 2);
	assert_int_equal(counts.ranges.count, 0);
	code_counts_fini(&counts);
	process_table_destroy(processes);
}

static void many_places_are_kept_apart(void **state)
{
	struct process_table *processes = process_table_create();
	struct code_counts counts = { 0 };

	(void)state;
	for (int round = 0; round < 2; round++)
		for (uint64_t ip = 10000; ip > 0; ip--)
			code_counts_add(&counts, &(struct sample){ .present = PERF_SAMPLE_IP, .ip = ip }, 1,
					processes);
	code_table_sort(&counts.addresses);
	assert_int_equal(counts.addresses.count, 10000);
	for (uint64_t i = 0; i < 10000; i++) {
		assert_int_equal(counts.addresses.items[i].from.address, i + 1);
		assert_int_equal(counts.addresses.items[i].count, 2);
	}
	code_counts_fini(&counts);
	process_table_destroy(processes);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(branches_are_added_up),
		cmocka_unit_test(many_places_are_kept_apart),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
