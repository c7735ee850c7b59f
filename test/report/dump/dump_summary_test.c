#include "report/dump/dump_summary.h"

#include "support/cmocka.h"
#include "support/perf_data_builder.h"

/* An empty file; the test counts the records. */
static struct perf_file *empty_file(struct perf_data_builder *b)
{
	perf_data_builder_add_event(
		b, &(struct built_event){ .attr = { .size = sizeof(struct perf_event_attr) } });
	perf_data_builder_finished_round(
		b); /* a file without any data looks like one that was never finished */
	perf_data_builder_finish_file(b);
	return perf_data_builder_open(b);
}

static void assert_summary(const struct dump_summary *summary, const char *expected)
{
	struct perf_data_builder *b = perf_data_builder_create(BUILD_NATIVE);
	struct perf_file *file = empty_file(b);
	struct dump_out out;

	dump_out_init(&out, false, (struct color){ false });
	dump_summary_write(&out, summary, file);
	assert_string_equal(out.text.bytes, expected);
	dump_out_fini(&out);
	perf_file_close(file);
	perf_data_builder_destroy(b);
}

static void records_are_counted_by_type(void **state)
{
	const struct event comm = { .type = PERF_RECORD_COMM, .size = 40, .file_offset = 0x100 };
	const struct event sample = { .type = PERF_RECORD_SAMPLE, .size = 16, .file_offset = 0x128 };
	struct dump_summary summary;

	(void)state;
	dump_summary_init(&summary);
	dump_summary_count(&summary, &comm);
	dump_summary_count(&summary, &sample);
	dump_summary_count(&summary, &sample);
	assert_summary(&summary, "summary  records 3  bytes 72  truncated no\n"
				 "    types:\n"
				 "        type COMM count 1 bytes 40 first 0x100\n"
				 "        type SAMPLE count 2 bytes 32 first 0x128\n");
	dump_summary_fini(&summary);
}

static void a_compressed_record_counts_once_however_many_came_out_of_it(void **state)
{
	struct event event = {
		.type = PERF_RECORD_SAMPLE, .size = 16, .file_offset = 0x100, .compressed_size = 20
	};
	struct dump_summary summary;

	(void)state;
	dump_summary_init(&summary);
	dump_summary_count(&summary, &event);
	dump_summary_count(&summary, &event);
	event.file_offset = 0x114;
	dump_summary_count(&summary, &event);
	assert_int_equal(summary.compressed_records, 2);
	assert_int_equal(summary.compressed_bytes, 40);
	dump_summary_fini(&summary);
}

static void the_first_damage_is_kept_and_all_are_counted(void **state)
{
	const struct event lost = { .type = PERF_RECORD_LOST, .size = 16, .file_offset = 0x40 };
	const struct event comm = { .type = PERF_RECORD_COMM, .size = 16, .file_offset = 0x50 };
	struct dump_summary summary;

	(void)state;
	dump_summary_init(&summary);
	dump_summary_damage(&summary, &lost, "too short");
	dump_summary_damage(&summary, &comm, "no end");
	assert_summary(&summary, "summary  records 0  bytes 0  truncated no\n"
				 "    types:\n"
				 "    damage:\n"
				 "        offset 0x40 reason \"LOST: too short\" damaged_records 2\n");
	dump_summary_fini(&summary);
}

static void a_file_of_more_types_than_any_has_is_counted_in_bounded_memory(void **state)
{
	struct dump_summary summary;

	(void)state;
	dump_summary_init(&summary);
	for (uint32_t type = 0; type < 100000; type++)
		dump_summary_count(&summary, &(struct event){ .type = type, .size = 8 });
	assert_int_equal(summary.tally_count, 4096);
	dump_summary_fini(&summary);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(records_are_counted_by_type),
		cmocka_unit_test(a_compressed_record_counts_once_however_many_came_out_of_it),
		cmocka_unit_test(the_first_damage_is_kept_and_all_are_counted),
		cmocka_unit_test(a_file_of_more_types_than_any_has_is_counted_in_bounded_memory),
	};

	return cmocka_run_group_tests_name("report/dump/dump_summary", tests, NULL, NULL);
}
