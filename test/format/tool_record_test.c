/* Records that tools write, read through perf_file. */

#include <fcntl.h>
#include <linux/perf_event.h>
#include <unistd.h>

#include "format/perf_file.h"
#include "support/cmocka.h"
#include "support/event_walk.h"
#include "support/perf_data_builder.h"

static struct perf_data_builder *builder(void)
{
	struct perf_data_builder *b = perf_data_builder_create(BUILD_NATIVE);

	perf_data_builder_add_event(b,
				    &(struct built_event){ .attr = { .size = sizeof(struct perf_event_attr) },
							   .ids = { 11 },
							   .id_count = 1 });
	return b;
}

static void event_update_names_an_event(void **state)
{
	struct perf_data_builder *b = builder();
	struct perf_file *file;

	(void)state;
	perf_data_builder_begin(b, PERF_RECORD_EVENT_UPDATE, 0);
	perf_data_builder_u64(b, 2); /* PERF_EVENT_UPDATE__NAME */
	perf_data_builder_u64(b, 11);
	perf_data_builder_text(b, "my-event");
	perf_data_builder_end(b);
	perf_data_builder_finish_pipe(b);
	file = perf_data_builder_open(b);
	assert_int_equal(event_walk_count(file), 2);
	assert_string_equal(perf_file_event(file, 0)->name, "my-event");
	perf_file_close(file);
	perf_data_builder_destroy(b);
}

/* { header; u32 size }; header.size does not include the bytes behind it */
static void tracing_data_is_kept_from_behind_or_inside_its_record(void **state)
{
	static const char tracing[24] = "\x17\x08\x44tracing0.6";

	(void)state;
	for (int inside = 0; inside < 2; inside++) {
		struct perf_data_builder *b = builder();
		struct perf_file *file;
		struct byte_reader bytes;

		perf_data_builder_begin(b, PERF_RECORD_HEADER_TRACING_DATA, 0);
		perf_data_builder_u32(b, sizeof(tracing));
		if (!inside)
			perf_data_builder_end(b);
		perf_data_builder_bytes(b, tracing, sizeof(tracing));
		if (inside)
			perf_data_builder_end(b);
		perf_data_builder_finished_round(b);
		perf_data_builder_finish_pipe(b);
		file = perf_data_builder_open(b);
		assert_int_equal(event_walk_count(file), 3);
		assert_string_equal(perf_file_damage(file)->first_reason, "");
		bytes = perf_file_feature_bytes(file, HEADER_TRACING_DATA);
		assert_int_equal(byte_reader_left(&bytes), sizeof(tracing));
		assert_memory_equal(bytes.next, tracing, sizeof(tracing));
		perf_file_close(file);
		perf_data_builder_destroy(b);
	}
}

/* From a real pipe, so that they are copied. The second one claims more bytes than are left in the file. */
static void the_first_tracing_data_stays_when_a_second_is_cut(void **state)
{
	static const char rest[5000];
	struct perf_data_builder *b = builder();
	struct perf_file *file;
	struct byte_reader bytes;
	struct error err = { 0 };
	int fds[2];

	(void)state;
	for (uint32_t size = 8; size <= 100000; size += 99992) {
		perf_data_builder_begin(b, PERF_RECORD_HEADER_TRACING_DATA, 0);
		perf_data_builder_u32(b, size);
		perf_data_builder_end(b);
		perf_data_builder_bytes(b, "tracing!", 8);
	}
	perf_data_builder_bytes(b, rest, sizeof(rest));
	perf_data_builder_finish_pipe(b);
	assert_int_equal(pipe2(fds, O_CLOEXEC), 0);
	assert_int_equal(write(fds[1], b->out.bytes, b->out.size), b->out.size);
	close(fds[1]);
	file = perf_file_open_stream(fds[0], "pipe", &err);
	assert_non_null(file);
	assert_int_equal(event_walk_count(file), 3);
	assert_true(perf_file_damage(file)->truncated);
	bytes = perf_file_feature_bytes(file, HEADER_TRACING_DATA);
	assert_int_equal(byte_reader_left(&bytes), 8);
	assert_memory_equal(bytes.next, "tracing!", 8);
	perf_file_close(file);
	perf_data_builder_destroy(b);
}

/* 100 MB of features, and 100,000 events. */
static void what_records_say_again_and_again_is_bounded(void **state)
{
	static char text[60000];
	struct perf_data_builder *b = builder();
	struct perf_file *file;

	(void)state;
	for (int i = 0; i < 1700; i++)
		perf_data_builder_feature_record(b, 200, text, sizeof(text));
	for (int i = 0; i < 100000; i++) {
		perf_data_builder_begin(b, PERF_RECORD_HEADER_ATTR, 0);
		perf_data_builder_u64(b, (uint64_t)64 << 32);
		for (int word = 0; word < 7; word++)
			perf_data_builder_u64(b, 0);
		perf_data_builder_end(b);
	}
	perf_data_builder_finish_pipe(b);
	file = perf_data_builder_open(b);
	assert_int_equal(event_walk_count(file), 101701);
	assert_int_equal(perf_file_event_count(file), 1 << 16);
	assert_string_equal(perf_file_damage(file)->first_reason,
			    "feature 200: too many features in records");
	perf_file_close(file);
	perf_data_builder_destroy(b);
}

static void a_payload_behind_the_end_is_noted(void **state)
{
	struct perf_data_builder *b = builder();
	struct perf_file *file;

	(void)state;
	perf_data_builder_begin(b, PERF_RECORD_AUXTRACE, 0);
	perf_data_builder_u64(b, UINT64_MAX);
	perf_data_builder_end(b);
	perf_data_builder_finish_pipe(b);
	file = perf_data_builder_open(b);
	assert_int_equal(event_walk_count(file), 2);
	assert_true(perf_file_damage(file)->truncated);
	assert_string_equal(perf_file_damage(file)->first_reason,
			    "the file ends inside the bytes that a record announces");
	perf_file_close(file);
	perf_data_builder_destroy(b);
}

static void records_that_say_nothing_usable_are_noted_and_passed(void **state)
{
	struct perf_data_builder *b = builder();
	struct perf_file *file;

	(void)state;
	b->attr_bytes = 128; /* the record of the event ends at 16 + 8 + 128 + 8 */
	perf_data_builder_begin(b, PERF_RECORD_HEADER_ATTR, 0);
	perf_data_builder_u64(b, (uint64_t)1000 << 32); /* attr.size 1000 */
	perf_data_builder_end(b);
	perf_data_builder_begin(b, PERF_RECORD_HEADER_BUILD_ID, 0);
	perf_data_builder_end(b);
	perf_data_builder_begin(b, PERF_RECORD_HEADER_FEATURE, 0);
	perf_data_builder_end(b);
	perf_data_builder_finish_pipe(b);
	file = perf_data_builder_open(b);
	assert_int_equal(event_walk_count(file), 4);
	assert_int_equal(perf_file_event_count(file), 1);
	assert_string_equal(
		perf_file_damage(file)->first_reason,
		"HEADER_ATTR record at offset 0xa0: an attribute of 1000 bytes does not fit into it");
	assert_int_equal(perf_file_damage(file)->skipped_bytes, 16 + 8 + 8);
	assert_false(perf_file_damage(file)->truncated);
	perf_file_close(file);
	perf_data_builder_destroy(b);
}

static void the_mark_behind_the_last_feature_of_a_pipe_is_no_feature(void **state)
{
	struct perf_data_builder *b = builder();
	struct perf_file *file;

	(void)state;
	perf_data_builder_feature_record(b, 32, "", 0);
	perf_data_builder_finish_pipe(b);
	file = perf_data_builder_open(b);
	assert_int_equal(event_walk_count(file), 2);
	assert_int_equal(perf_file_features(file)->present[0], 0);
	perf_file_close(file);
	perf_data_builder_destroy(b);
}

static void status_text_between_records_of_a_pipe_is_stepped_over(void **state)
{
	static const char text[] = "[ perf record: Woken up 1 times to write data ]\n"
				   "[ perf record: Captured and wrote 0.002 MB - ]\n";
	struct perf_data_builder *b = builder();
	struct perf_file *file;

	(void)state;
	perf_data_builder_finished_round(b);
	strbuf_adds(&b->records, text);
	perf_data_builder_finished_round(b);
	strbuf_adds(&b->records, text);
	perf_data_builder_finish_pipe(b);
	file = perf_data_builder_open(b);
	assert_int_equal(event_walk_count(file), 3);
	assert_int_equal(perf_file_damage(file)->skipped_bytes, 2 * strlen(text));
	assert_int_equal(perf_file_damage(file)->skipped_records, 0);
	assert_string_equal(perf_file_damage(file)->first_reason,
			    "status text of perf record is among the records");
	perf_file_close(file);
	perf_data_builder_destroy(b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(event_update_names_an_event),
		cmocka_unit_test(tracing_data_is_kept_from_behind_or_inside_its_record),
		cmocka_unit_test(the_first_tracing_data_stays_when_a_second_is_cut),
		cmocka_unit_test(what_records_say_again_and_again_is_bounded),
		cmocka_unit_test(a_payload_behind_the_end_is_noted),
		cmocka_unit_test(records_that_say_nothing_usable_are_noted_and_passed),
		cmocka_unit_test(the_mark_behind_the_last_feature_of_a_pipe_is_no_feature),
		cmocka_unit_test(status_text_between_records_of_a_pipe_is_stepped_over),
	};

	return cmocka_run_group_tests_name("format/tool_record", tests, NULL, NULL);
}
