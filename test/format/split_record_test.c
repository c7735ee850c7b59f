/* Records of simpleperf: 32-bit sizes, records in pieces, late ids, initial mappings. */

#include <linux/perf_event.h>

#include "format/perf_file.h"
#include "support/cmocka.h"
#include "support/perf_data_builder.h"

enum { LARGE_BYTES = 200000 };

static const enum built_byte_order orders[] = { BUILD_NATIVE, BUILD_SWAPPED };

static const struct perf_event_attr cycles = { .size = sizeof(cycles),
					       .sample_type = PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_IP,
					       .sample_id_all = 1 };

static struct perf_data_builder *builder(enum built_byte_order order)
{
	struct perf_data_builder *b = perf_data_builder_create(order);

	perf_data_builder_add_event(b, &(struct built_event){ .attr = cycles, .ids = { 11 }, .id_count = 1 });
	return b;
}

/* struct simpleperf_record_header */
static void put_header(struct strbuf *out, uint32_t type, uint32_t size, bool swap)
{
	strbuf_add_u32(out, type, swap);
	strbuf_add_u16(out, (uint16_t)(size >> 16), swap);
	strbuf_add_u16(out, (uint16_t)size, swap);
}

static void add_long_record(struct perf_data_builder *b, uint32_t type, uint32_t payload_size)
{
	put_header(&b->records, type, payload_size + 8, b->swap);
	strbuf_add_zeros(&b->records, payload_size);
}

/* Cuts { header; zeros } of LARGE_BYTES into pieces of 60,000 bytes. */
static void add_split_record(struct perf_data_builder *b, uint32_t type)
{
	struct strbuf whole;
	size_t start, size;

	strbuf_init(&whole);
	put_header(&whole, type, LARGE_BYTES, b->swap);
	strbuf_add_zeros(&whole, LARGE_BYTES - 9);
	strbuf_addc(&whole, 'z');
	for (start = 0; start < whole.size; start += size) {
		size = whole.size - start < 60000 ? whole.size - start : 60000;
		put_header(&b->records, SIMPLEPERF_RECORD_SPLIT, (uint32_t)size + 8, b->swap);
		strbuf_add(&b->records, whole.bytes + start, size);
	}
	strbuf_fini(&whole);
}

static void add_sample(struct perf_data_builder *b, uint64_t id)
{
	perf_data_builder_sample(b, &(struct built_sample){ .id = id, .ip = 0x1000 });
}

static struct event next_event(struct perf_file *file)
{
	struct event event = { 0 };
	struct error err = { 0 };

	assert_int_equal(perf_file_next(file, &event, &err), 1);
	return event;
}

static void assert_end(struct perf_file *file)
{
	struct event event;
	struct error err = { 0 };

	assert_int_equal(perf_file_next(file, &event, &err), 0);
}

static void records_of_simpleperf_have_a_32_bit_size(void **state)
{
	(void)state;
	for (size_t i = 0; i < 2; i++) {
		struct perf_data_builder *b = builder(orders[i]);
		struct perf_file *file;
		struct event event;

		add_long_record(b, SIMPLEPERF_RECORD_KERNEL_SYMBOL, LARGE_BYTES);
		add_sample(b, 11);
		perf_data_builder_finish_file(b);
		file = perf_data_builder_open(b);
		event = next_event(file);
		assert_int_equal(event.type, SIMPLEPERF_RECORD_KERNEL_SYMBOL);
		assert_int_equal(event.size, LARGE_BYTES + 8);
		assert_int_equal(event.payload_size, LARGE_BYTES);
		assert_int_equal(event.misc, 0);
		assert_int_equal(next_event(file).type, PERF_RECORD_SAMPLE);
		assert_end(file);
		assert_string_equal(perf_file_damage(file)->first_reason, "");
		perf_file_close(file);
		perf_data_builder_destroy(b);
	}
}

static void pieces_of_a_record_are_handed_out_as_one(void **state)
{
	(void)state;
	for (size_t i = 0; i < 2; i++) {
		struct perf_data_builder *b = builder(orders[i]);
		struct perf_file *file;
		struct event event;

		perf_data_builder_feature_string(b, HEADER_ARCH, "aarch64");
		add_split_record(b, SIMPLEPERF_RECORD_KERNEL_SYMBOL);
		add_long_record(b, SIMPLEPERF_RECORD_SPLIT_END, 0);
		add_sample(b, 11);
		perf_data_builder_finish_file(b);
		file = perf_data_builder_open(b);
		event = next_event(file);
		assert_int_equal(event.type, SIMPLEPERF_RECORD_KERNEL_SYMBOL);
		assert_int_equal(event.payload_size, LARGE_BYTES - 8);
		assert_true(event.file_offset < b->out.size - b->records.size);
		assert_int_equal(next_event(file).type, PERF_RECORD_SAMPLE);
		/* Still valid, as this file's events stay. */
		assert_true(perf_file_is_stable(file));
		assert_int_equal(event.payload[event.payload_size - 1], 'z');
		assert_end(file);
		assert_string_equal(perf_file_damage(file)->first_reason, "");
		perf_file_close(file);
		perf_data_builder_destroy(b);
	}
}

static void pieces_without_their_end_are_noted(void **state)
{
	struct perf_data_builder *b = builder(BUILD_NATIVE);
	struct perf_file *file;

	(void)state;
	add_split_record(b, SIMPLEPERF_RECORD_KERNEL_SYMBOL);
	add_sample(b, 11);
	add_long_record(b, SIMPLEPERF_RECORD_SPLIT_END, 0);
	add_split_record(b, SIMPLEPERF_RECORD_KERNEL_SYMBOL);
	perf_data_builder_finish_file(b);
	file = perf_data_builder_open(b);
	assert_int_equal(next_event(file).type, PERF_RECORD_SAMPLE);
	assert_end(file);
	assert_int_equal(perf_file_damage(file)->skipped_records, 3);
	assert_int_equal(perf_file_damage(file)->skipped_bytes, 2 * LARGE_BYTES);
	assert_string_equal(perf_file_damage(file)->first_reason,
			    "the pieces of a record are followed by another record");
	perf_file_close(file);
	perf_data_builder_destroy(b);
}

static void ids_that_come_in_records_belong_to_their_attr(void **state)
{
	(void)state;
	for (size_t i = 0; i < 2; i++) {
		struct perf_data_builder *b = builder(orders[i]);
		struct perf_file *file;
		struct event event;

		perf_data_builder_add_event(
			b, &(struct built_event){ .attr = cycles, .ids = { 12 }, .id_count = 1 });
		put_header(&b->records, SIMPLEPERF_RECORD_EVENT_ID, 8 + 8 + 16, b->swap);
		perf_data_builder_u64(b, 1); /* one pair */
		perf_data_builder_u64(b, 1); /* for the second attr */
		perf_data_builder_u64(b, 99);
		add_sample(b, 99);
		perf_data_builder_finish_file(b);
		file = perf_data_builder_open(b);
		assert_int_equal(next_event(file).type, SIMPLEPERF_RECORD_EVENT_ID);
		event = next_event(file);
		assert_int_equal(perf_file_event_of(file, &event), 1);
		perf_file_close(file);
		perf_data_builder_destroy(b);
	}
}

static void initial_mappings_of_a_feature_come_before_the_data(void **state)
{
	(void)state;
	for (size_t i = 0; i < 2; i++) {
		struct perf_data_builder *b = builder(orders[i]);
		struct perf_file *file;
		struct strbuf first;

		perf_data_builder_comm(b, 1, 1, "init", 0);
		first = b->records;
		strbuf_init(&b->records);
		perf_data_builder_feature(b, HEADER_SIMPLEPERF_INIT_MAP, first.bytes, first.size);
		add_sample(b, 11);
		perf_data_builder_finish_file(b);
		file = perf_data_builder_open(b);
		assert_int_equal(next_event(file).type, PERF_RECORD_COMM);
		assert_int_equal(next_event(file).type, PERF_RECORD_SAMPLE);
		assert_end(file);
		assert_string_equal(perf_file_damage(file)->first_reason, "");
		perf_file_close(file);
		strbuf_fini(&first);
		perf_data_builder_destroy(b);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(records_of_simpleperf_have_a_32_bit_size),
		cmocka_unit_test(pieces_of_a_record_are_handed_out_as_one),
		cmocka_unit_test(pieces_without_their_end_are_noted),
		cmocka_unit_test(ids_that_come_in_records_belong_to_their_attr),
		cmocka_unit_test(initial_mappings_of_a_feature_come_before_the_data),
	};

	return cmocka_run_group_tests_name("format/split_record", tests, NULL, NULL);
}
