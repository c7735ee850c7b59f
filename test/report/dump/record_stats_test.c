#include "report/dump/record_stats.h"

#include <string.h>

#include "support/cmocka.h"
#include "support/perf_data_builder.h"

static struct perf_data_builder *builder;

static int set_up(void **state)
{
	(void)state;
	builder = perf_data_builder_create(BUILD_NATIVE);
	return 0;
}

static int tear_down(void **state)
{
	(void)state;
	perf_data_builder_destroy(builder);
	return 0;
}

static size_t add_event(const char *name, uint64_t id)
{
	struct built_event event = { .attr = { .type = PERF_TYPE_SOFTWARE,
					       .size = PERF_ATTR_SIZE_VER5,
					       .sample_type = PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_IP |
							      PERF_SAMPLE_TID,
					       .sample_period = 1000,
					       .sample_id_all = 1 },
				     .name = name,
				     .ids = { id },
				     .id_count = 1 };

	return perf_data_builder_add_event(builder, &event);
}

static void add_samples(size_t event, int count)
{
	while (count--)
		perf_data_builder_sample(builder,
					 &(struct built_sample){ .event = event, .pid = 7, .tid = 7 });
}

static void assert_stats(const char *expected)
{
	struct record_stats *stats = record_stats_create();
	struct perf_file *file;
	struct strbuf out;
	struct event event;
	struct error err;

	perf_data_builder_finish_file(builder);
	file = perf_data_builder_open(builder);
	while (perf_file_next(file, &event, &err) == 1)
		record_stats_count(stats, file, &event);
	strbuf_init(&out);
	record_stats_add(&out, stats, file);
	assert_string_equal(out.bytes, expected);
	strbuf_fini(&out);
	record_stats_destroy(stats);
	perf_file_close(file);
}

static void records_are_counted_by_type_with_their_shares(void **state)
{
	(void)state;
	add_event("cycles", 11);
	perf_data_builder_comm(builder, 7, 7, "a", 1);
	add_samples(0, 3);
	assert_stats("\nAggregated stats:\n"
		     "           TOTAL events:          4\n"
		     "            COMM events:          1  (25.0%)\n"
		     "          SAMPLE events:          3  (75.0%)\n"
		     "cycles stats:\n"
		     "          SAMPLE events:          3\n");
}

static void samples_are_counted_by_event_and_events_without_any_left_out(void **state)
{
	size_t faults;

	(void)state;
	add_event("cycles", 11);
	add_event("cs", 12);
	faults = add_event("faults", 13);
	add_samples(faults, 2);
	add_samples(0, 1);
	assert_stats("\nAggregated stats:\n"
		     "           TOTAL events:          3\n"
		     "          SAMPLE events:          3  (100.0%)\n"
		     "cycles stats:\n"
		     "          SAMPLE events:          1\n"
		     "faults stats:\n"
		     "          SAMPLE events:          2\n");
}

static void records_of_types_without_a_name_count_in_the_total_alone(void **state)
{
	(void)state;
	add_event("cycles", 11);
	add_samples(0, 1);
	perf_data_builder_begin(builder, 5000, 0);
	perf_data_builder_u64(builder, 0);
	perf_data_builder_end(builder);
	assert_stats("\nAggregated stats:\n"
		     "           TOTAL events:          2\n"
		     "          SAMPLE events:          1  (50.0%)\n"
		     "cycles stats:\n"
		     "          SAMPLE events:          1\n");
}

static void an_empty_recording_has_a_total_of_nothing(void **state)
{
	(void)state;
	add_event("cycles", 11);
	assert_stats("\nAggregated stats:\n           TOTAL events:          0\n");
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(records_are_counted_by_type_with_their_shares),
		TEST(samples_are_counted_by_event_and_events_without_any_left_out),
		TEST(records_of_types_without_a_name_count_in_the_total_alone),
		TEST(an_empty_recording_has_a_total_of_nothing),
	};

	return cmocka_run_group_tests_name("report/dump/record_stats", tests, NULL, NULL);
}
