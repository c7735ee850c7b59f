#include "report/load/sample_times.h"

#include <linux/perf_event.h>
#include <stdio.h>

#include "format/perf_abi.h"
#include "support/cmocka.h"
#include "support/perf_data_builder.h"
#include "support/temp_tree.h"

static struct perf_data_builder *recording_of(uint64_t sample_type)
{
	static const uint64_t times_ns[] = { 3000, 1000, 2000 };
	struct perf_data_builder *b = perf_data_builder_create(BUILD_NATIVE);

	perf_data_builder_add_event(b, &(struct built_event){ .attr = { .size = PERF_ATTR_SIZE_VER5,
									.sample_type = sample_type,
									.sample_id_all = 1 } });
	perf_data_builder_comm(b, 1, 1, "before", 10);
	for (size_t i = 0; i < 3; i++)
		perf_data_builder_sample(b, &(struct built_sample){ .time_ns = times_ns[i] });
	return b;
}

static struct sample_times find(struct perf_data_builder *b)
{
	struct temp_tree tree;
	struct sample_times times;
	struct perf_file *file;
	struct event event;
	char path[128];

	temp_tree_create(&tree);
	snprintf(path, sizeof(path), "%s/perf.data", tree.root);
	perf_data_builder_finish_file(b);
	perf_data_builder_save(b, path);
	file = perf_file_open(path, NULL);
	assert_non_null(file);
	assert_int_equal(sample_times_find(file, &times, NULL), 0);
	assert_int_equal(perf_file_next(file, &event, NULL), 1);
	assert_int_equal(event.type, PERF_RECORD_COMM); /* the file is still at its beginning */
	perf_file_close(file);
	temp_tree_remove(&tree);
	perf_data_builder_destroy(b);
	return times;
}

static void samples_are_gone_through_where_the_header_does_not_say(void **state)
{
	const struct sample_times times = find(recording_of(PERF_SAMPLE_TIME));

	(void)state;
	assert_int_equal(times.first_ns, 1000);
	assert_int_equal(times.last_ns, 3000);
}

static void the_header_is_believed(void **state)
{
	static const uint64_t said[] = { 500, 4000 };
	struct perf_data_builder *b = recording_of(PERF_SAMPLE_TIME);
	struct sample_times times;

	(void)state;
	perf_data_builder_feature(b, HEADER_SAMPLE_TIME, said, sizeof(said));
	times = find(b);
	assert_int_equal(times.first_ns, 500);
	assert_int_equal(times.last_ns, 4000);
}

static void samples_without_a_time_say_nothing(void **state)
{
	(void)state;
	assert_int_equal(find(recording_of(PERF_SAMPLE_IP)).last_ns, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(samples_are_gone_through_where_the_header_does_not_say),
		cmocka_unit_test(the_header_is_believed),
		cmocka_unit_test(samples_without_a_time_say_nothing),
	};

	return cmocka_run_group_tests_name("report/load/sample_times", tests, NULL, NULL);
}
