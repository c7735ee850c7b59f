#include "record/stack/sampler_table.h"

#include <string.h>

#include "support/cmocka.h"

static const struct perf_event_attr clock_attr = { .sample_type = PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_IP };
static const struct perf_event_attr faults_attr = { .sample_type = PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_IP };
static const struct perf_event_attr tracepoint_attr = { .sample_type = PERF_SAMPLE_IDENTIFIER |
								       PERF_SAMPLE_IP | PERF_SAMPLE_RAW };
static const uint64_t clock_ids[] = { 11, 12 }, faults_ids[] = { 21, 22 }, tracepoint_ids[] = { 31, 32 };

static const struct written_event clocks = { .attr = &clock_attr, .ids = clock_ids, .id_count = 2 };
static const struct written_event faults = { .attr = &faults_attr, .ids = faults_ids, .id_count = 2 };
static const struct written_event tracepoint = { .attr = &tracepoint_attr,
						 .ids = tracepoint_ids,
						 .id_count = 2 };

static const struct perf_event_attr *find(const struct sampler_table *table, uint64_t id)
{
	uint8_t record[24] = { PERF_RECORD_SAMPLE };

	memcpy(record + 8, &id, sizeof(id));
	return sampler_table_find(table, record, sizeof(record));
}

static void samples_that_look_alike_need_no_id(void **state)
{
	const struct written_event samplers[] = { clocks, faults };
	struct sampler_table table;

	(void)state;
	sampler_table_init(&table, samplers, 2);
	assert_memory_equal(find(&table, 21), &clock_attr, sizeof(clock_attr));
	assert_memory_equal(find(&table, 99), &clock_attr, sizeof(clock_attr));
	sampler_table_fini(&table);
}

static void samples_that_do_not_are_told_apart_by_their_id(void **state)
{
	const struct written_event samplers[] = { clocks, tracepoint };
	const uint8_t no_room[8] = { PERF_RECORD_SAMPLE };
	struct sampler_table table;

	(void)state;
	sampler_table_init(&table, samplers, 2);
	assert_memory_equal(find(&table, 12), &clock_attr, sizeof(clock_attr));
	assert_memory_equal(find(&table, 31), &tracepoint_attr, sizeof(tracepoint_attr));
	assert_null(find(&table, 99));
	assert_null(sampler_table_find(&table, no_room, sizeof(no_room)));
	sampler_table_fini(&table);
}

static void branch_counters_are_in_the_samples_of_the_whole_group(void **state)
{
	enum { ANY = 1 << 3, COUNTERS = 1 << 19 };
	static const struct perf_event_attr plain = {
		.sample_type = PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_BRANCH_STACK, .branch_sample_type = ANY
	};
	static const struct perf_event_attr counted = { .sample_type = PERF_SAMPLE_IDENTIFIER |
								       PERF_SAMPLE_BRANCH_STACK,
							.branch_sample_type = ANY | COUNTERS };
	static const uint64_t ids[] = { 1, 2, 3 };
	const struct written_event samplers[] = {
		{ .attr = &plain, .ids = &ids[0], .id_count = 1 },
		{ .attr = &plain, .ids = &ids[1], .id_count = 1, .group_size = 2 },
		{ .attr = &counted, .ids = &ids[2], .id_count = 1 },
	};
	struct sampler_table table;

	(void)state;
	sampler_table_init(&table, samplers, 3);
	assert_int_equal(find(&table, 1)->branch_sample_type, ANY);
	assert_int_equal(find(&table, 2)->branch_sample_type, ANY | COUNTERS);
	assert_int_equal(find(&table, 3)->branch_sample_type, ANY | COUNTERS);
	sampler_table_fini(&table);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(samples_that_look_alike_need_no_id),
		cmocka_unit_test(samples_that_do_not_are_told_apart_by_their_id),
		cmocka_unit_test(branch_counters_are_in_the_samples_of_the_whole_group),
	};

	return cmocka_run_group_tests_name("record/stack/sampler_table", tests, NULL, NULL);
}
