#include "format/record_source.h"

#include "base/strbuf.h"
#include "format/perf_abi.h"
#include "support/cmocka.h"

static void add_record(struct strbuf *out, uint32_t type, uint16_t size, bool swap)
{
	strbuf_add_u32(out, type, swap);
	strbuf_add_u16(out, 2, swap);
	strbuf_add_u16(out, size, swap);
	if (size > 8)
		strbuf_add_zeros(out, size - 8);
}

static struct record_source source_over(const struct strbuf *bytes, bool swap)
{
	const uint8_t *start = (const uint8_t *)bytes->bytes;

	return (struct record_source){
		.next = start, .end = start + bytes->size, .file_offset = 100, .swap = swap
	};
}

static void records_follow_each_other_in_either_byte_order(void **state)
{
	(void)state;
	for (int swap = 0; swap < 2; swap++) {
		struct record_source source;
		struct strbuf bytes;
		struct event event;
		struct error err;

		strbuf_init(&bytes);
		add_record(&bytes, 9, 24, swap);
		add_record(&bytes, 68, 8, swap);
		source = source_over(&bytes, swap);
		assert_int_equal(record_source_next(&source, &event, &err), RECORD_OK);
		assert_int_equal(event.type, 9);
		assert_int_equal(event.misc, 2);
		assert_int_equal(event.size, 24);
		assert_int_equal(event.payload_size, 16);
		assert_int_equal(event.file_offset, 100);
		assert_ptr_equal(event.payload, bytes.bytes + 8);
		assert_int_equal(record_source_next(&source, &event, &err), RECORD_OK);
		assert_int_equal(event.type, 68);
		assert_int_equal(event.payload_size, 0);
		assert_int_equal(event.file_offset, 124);
		assert_int_equal(record_source_next(&source, &event, &err), RECORD_END);
		strbuf_fini(&bytes);
	}
}

static void a_source_that_ends_inside_a_record_is_cut(void **state)
{
	struct strbuf bytes;

	(void)state;
	strbuf_init(&bytes);
	add_record(&bytes, 9, 24, false);
	for (size_t size = 1; size < 24; size++) {
		struct record_source source = source_over(&bytes, false);
		struct event event;
		struct error err;

		source.end = source.next + size;
		assert_int_equal(record_source_next(&source, &event, &err), RECORD_CUT);
		assert_int_equal(source.end - source.next, size);
	}
	strbuf_fini(&bytes);
}

static void a_size_below_eight_is_told_from_a_cut(void **state)
{
	(void)state;
	for (uint16_t size = 0; size < 8; size++) {
		struct record_source source;
		struct strbuf bytes;
		struct event event;
		struct error err;

		strbuf_init(&bytes);
		add_record(&bytes, 9, size, false);
		source = source_over(&bytes, false);
		assert_int_equal(record_source_next(&source, &event, &err), RECORD_TOO_SMALL);
		assert_int_equal(event.size, size);
		strbuf_fini(&bytes);
	}
}

static void skipping_stops_at_the_end(void **state)
{
	const uint8_t bytes[16] = { 0 };
	struct record_source source = { .next = bytes, .end = bytes + sizeof(bytes) };
	struct error err;

	(void)state;
	assert_int_equal(record_source_skip(&source, 10, &err), 1);
	assert_int_equal(source.file_offset, 10);
	assert_int_equal(record_source_skip(&source, 6, &err), 1);
	assert_int_equal(record_source_skip(&source, UINT64_MAX, &err), 0);
	assert_int_equal(source.file_offset, 16);
}

/* perf 6.16 writes the size 65536 as 0. */
static void the_largest_compressed2_record_has_its_size_from_its_data(void **state)
{
	(void)state;
	for (int swap = 0; swap < 2; swap++) {
		struct record_source source = { .swap = swap };
		struct strbuf bytes;
		struct event event;
		struct error err;

		strbuf_init(&bytes);
		add_record(&bytes, PERF_RECORD_COMPRESSED2, 8, swap);
		memset(bytes.bytes + 6, 0, 2);
		strbuf_add_u64(&bytes, 65536 - 16 - 3, swap);
		strbuf_add_zeros(&bytes, 65536 - 16);
		add_record(&bytes, PERF_RECORD_FINISHED_ROUND, 8, swap);
		source.next = (const uint8_t *)bytes.bytes;
		source.end = source.next + bytes.size;
		assert_int_equal(record_source_next(&source, &event, &err), RECORD_OK);
		assert_int_equal(event.size, 65536);
		assert_int_equal(record_source_next(&source, &event, &err), RECORD_OK);
		assert_int_equal(event.type, PERF_RECORD_FINISHED_ROUND);
		assert_int_equal(record_source_next(&source, &event, &err), RECORD_END);
		strbuf_fini(&bytes);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(records_follow_each_other_in_either_byte_order),
		cmocka_unit_test(a_source_that_ends_inside_a_record_is_cut),
		cmocka_unit_test(a_size_below_eight_is_told_from_a_cut),
		cmocka_unit_test(skipping_stops_at_the_end),
		cmocka_unit_test(the_largest_compressed2_record_has_its_size_from_its_data),
	};

	return cmocka_run_group_tests_name("format/record_source", tests, NULL, NULL);
}
