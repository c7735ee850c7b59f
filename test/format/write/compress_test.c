#include "format/write/compress.h"

#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"
#include "format/decompress.h"
#include "format/perf_abi.h"
#include "support/cmocka.h"

enum { SAMPLE_RECORD_BYTES = 48 };

static void add_record(struct strbuf *out, uint32_t type, size_t size, bool swap)
{
	strbuf_add_u32(out, type, swap);
	strbuf_add_u16(out, 0, swap);
	strbuf_add_u16(out, (uint16_t)size, swap);
}

/* Samples of 48 bytes that differ in two words. */
static void add_samples(struct strbuf *out, size_t count, bool swap)
{
	for (size_t i = 0; i < count; i++) {
		add_record(out, PERF_RECORD_SAMPLE, SAMPLE_RECORD_BYTES, swap);
		strbuf_add_u64(out, 0x400000 + i % 7, swap);
		strbuf_add_u64(out, 0x6400000064, swap);
		strbuf_add_u64(out, 1000000 + 250000 * i, swap);
		strbuf_add_zeros(out, SAMPLE_RECORD_BYTES - 32);
	}
}

/* A record that cannot be compressed. */
static void add_noise(struct strbuf *out, size_t size)
{
	uint64_t state = 88172645463325252u;

	add_record(out, PERF_RECORD_SAMPLE, size, false);
	for (size_t at = 8; at < size; at += 8) { /* xorshift64 */
		state ^= state << 13;
		state ^= state >> 7;
		state ^= state << 17;
		strbuf_add_u64(out, state, false);
	}
}

struct decompressed {
	struct strbuf records;
	size_t compressed_count, plain_bytes;
	size_t largest_piece; /* the most that one compressed record decompressed to */
};

static void decompress_record(struct decompressor *decompressor, struct decompressed *to,
			      const struct event *event)
{
	struct record_source *source = decompressor_source(decompressor);
	size_t before = to->records.size;
	struct event inner;
	struct error err;

	decompressor_feed(decompressor, event->payload, event->payload_size, 0);
	while (record_source_next(source, &inner, &err) == RECORD_OK)
		strbuf_add(&to->records, inner.payload - PERF_RECORD_HEADER_SIZE, inner.size);
	to->compressed_count++;
	if (to->records.size - before > to->largest_piece)
		to->largest_piece = to->records.size - before;
}

static struct decompressed decompress(const struct strbuf *packed, bool swap)
{
	const uint8_t *bytes = (const uint8_t *)packed->bytes;
	struct record_source source = { .next = bytes, .end = bytes + packed->size, .swap = swap };
	struct decompressor *decompressor = decompressor_create(swap, false);
	struct decompressed decompressed = { 0 };
	struct event event;
	struct error err;

	strbuf_init(&decompressed.records);
	while (record_source_next(&source, &event, &err) == RECORD_OK) {
		if (event.type == PERF_RECORD_COMPRESSED) {
			decompress_record(decompressor, &decompressed, &event);
		} else {
			strbuf_add(&decompressed.records, event.payload - PERF_RECORD_HEADER_SIZE,
				   event.size);
			decompressed.plain_bytes += event.size;
		}
	}
	assert_int_equal(source.end - source.next, 0);
	assert_int_equal(decompressor_source(decompressor)->end - decompressor_source(decompressor)->next, 0);
	decompressor_destroy(decompressor);
	return decompressed;
}

static void assert_same(const struct strbuf *got, const struct strbuf *expected)
{
	assert_int_equal(got->size, expected->size);
	assert_memory_equal(got->bytes, expected->bytes, expected->size);
}

/* Packs the records, checks that decompressing gives the same, and describes the result. The caller frees nothing. */
static struct decompressed compress_and_decompress(struct compressor *compressor,
						   const struct strbuf *records, bool swap)
{
	struct decompressed decompressed;
	struct strbuf packed;
	struct error err;

	strbuf_init(&packed);
	if (compressor_pack(compressor, records->bytes, records->size, &packed, &err) != 0)
		fail_msg("%s", err.message);
	decompressed = decompress(&packed, swap);
	assert_same(&decompressed.records, records);
	strbuf_fini(&decompressed.records);
	strbuf_fini(&packed);
	return decompressed;
}

static struct compressor *create(bool swap)
{
	struct error err;
	struct compressor *compressor = compressor_create(COMPRESS_LEVEL_DEFAULT, swap, &err);

	if (!compressor && compressor_available())
		fail_msg("%s", err.message);
	if (!compressor)
		skip();
	return compressor;
}

static void records_unfold_to_themselves_in_either_byte_order(void **state)
{
	(void)state;
	for (int swap = 0; swap < 2; swap++) {
		struct compressor *compressor = create(swap);
		struct strbuf records;
		struct decompressed decompressed;
		struct compression_totals totals;

		strbuf_init(&records);
		add_samples(&records, 1000, swap);
		decompressed = compress_and_decompress(compressor, &records, swap);
		assert_int_equal(decompressed.compressed_count, 1);
		totals = compressor_totals(compressor);
		assert_int_equal(totals.original_bytes, 1000 * SAMPLE_RECORD_BYTES);
		assert_true(compression_ratio(totals) > 5);
		strbuf_fini(&records);
		compressor_destroy(compressor);
	}
}

static void records_of_the_tools_stay_outside(void **state)
{
	struct compressor *compressor = create(false);
	struct strbuf records;
	struct decompressed decompressed;

	(void)state;
	strbuf_init(&records);
	for (int round = 0; round < 3; round++) {
		add_samples(&records, 100, false);
		add_record(&records, PERF_RECORD_FINISHED_ROUND, 8, false);
	}
	decompressed = compress_and_decompress(compressor, &records, false);
	assert_int_equal(decompressed.compressed_count, 3);
	assert_int_equal(decompressed.plain_bytes, 3 * 8);
	strbuf_fini(&records);
	compressor_destroy(compressor);
}

/* The largest possible record needs two compressed records, since each of its bytes stays as it is. */
static void what_does_not_get_smaller_fits_all_the_same(void **state)
{
	struct compressor *compressor = create(false);
	struct strbuf records;
	struct decompressed decompressed;

	(void)state;
	strbuf_init(&records);
	for (int i = 0; i < 100; i++)
		add_noise(&records, 65528);
	decompressed = compress_and_decompress(compressor, &records, false);
	assert_int_equal(decompressed.compressed_count, 200);
	assert_int_equal(decompressed.plain_bytes, 0);
	strbuf_fini(&records);
	compressor_destroy(compressor);
}

/* perf reserves as much for a record as the header says. */
static void no_record_decompresses_to_more_than_is_announced(void **state)
{
	struct compressor *compressor = create(false);
	struct strbuf records;
	struct decompressed decompressed;

	(void)state;
	strbuf_init(&records);
	add_samples(&records, 80000, false);
	add_noise(&records, 65528);
	add_samples(&records, 80000, false);
	decompressed = compress_and_decompress(compressor, &records, false);
	assert_true(decompressed.largest_piece <= DECOMPRESSED_MAX_BYTES);
	assert_true(decompressed.largest_piece > DECOMPRESSED_MAX_BYTES / 2);
	strbuf_fini(&records);
	compressor_destroy(compressor);
}

/* Packs small pieces of similar samples, and returns the sizes of the compressed records. */
static size_t pack_flushes(struct compressor *compressor, size_t flushes, struct strbuf *packed)
{
	struct strbuf records;
	struct error err;

	strbuf_init(&records);
	add_samples(&records, 1000, false);
	for (size_t i = 0; i < flushes; i++)
		assert_int_equal(compressor_pack(compressor, records.bytes, records.size, packed, &err), 0);
	strbuf_fini(&records);
	return packed->size;
}

static void a_flush_refers_to_what_precedes_it(void **state)
{
	struct compressor *compressor = create(false);
	struct strbuf packed;
	size_t first;

	(void)state;
	strbuf_init(&packed);
	first = pack_flushes(compressor, 1, &packed);
	assert_true(pack_flushes(compressor, 1, &packed) - first < first / 10);
	strbuf_fini(&packed);
	compressor_destroy(compressor);
}

/* RFC 8878, section 3.1.1 */
static bool begins_frame(const struct event *event)
{
	return event->payload_size >= 4 && memcmp(event->payload, "\x28\xb5\x2f\xfd", 4) == 0;
}

/* Reads the compressed records from the second frame on, without those of the first. Returns their size. */
static size_t decompress_second_frame(const struct strbuf *packed)
{
	const uint8_t *bytes = (const uint8_t *)packed->bytes;
	struct record_source source = { .next = bytes, .end = bytes + packed->size };
	struct decompressed decompressed;
	struct strbuf rest;
	struct event event;
	struct error err;
	size_t frames = 0, size;

	strbuf_init(&rest);
	while (record_source_next(&source, &event, &err) == RECORD_OK) {
		frames += begins_frame(&event);
		if (frames >= 2)
			strbuf_add(&rest, event.payload - PERF_RECORD_HEADER_SIZE, event.size);
	}
	assert_int_equal(frames, 2);
	decompressed = decompress(&rest, false);
	size = decompressed.records.size;
	strbuf_fini(&decompressed.records);
	strbuf_fini(&rest);
	return size;
}

/* 43 pieces of 48,000 bytes are more than the 2 MiB minus a piece at which a frame ends. */
static void a_new_frame_begins_every_2_mib(void **state)
{
	enum { FLUSHES = 60, IN_FIRST_FRAME = 43 };
	struct compressor *compressor = create(false);
	struct strbuf packed;

	(void)state;
	strbuf_init(&packed);
	pack_flushes(compressor, FLUSHES, &packed);
	assert_int_equal(decompress_second_frame(&packed),
			 (FLUSHES - IN_FIRST_FRAME) * 1000 * SAMPLE_RECORD_BYTES);
	strbuf_fini(&packed);
	compressor_destroy(compressor);
}

static void the_last_record_may_be_cut(void **state)
{
	struct compressor *compressor = create(false);
	struct strbuf records, packed;
	struct decompressed decompressed;
	struct error err;

	(void)state;
	strbuf_init(&records);
	strbuf_init(&packed);
	add_samples(&records, 100, false);
	assert_int_equal(compressor_pack(compressor, records.bytes, records.size - 1, &packed, &err), 0);
	decompressed = decompress(&packed, false);
	assert_int_equal(decompressed.records.size, 99 * SAMPLE_RECORD_BYTES);
	strbuf_fini(&decompressed.records);
	strbuf_fini(&packed);
	strbuf_fini(&records);
	compressor_destroy(compressor);
}

static void levels_are_1_to_22(void **state)
{
	struct error err;

	(void)state;
	assert_null(compressor_create(0, false, &err));
	assert_null(compressor_create(23, false, &err));
	if (compressor_available())
		assert_string_equal(err.message, "23 is not a compression level: 1 (fast) to 22 (small)");
	else
		assert_non_null(strstr(err.message, "without libzstd"));
	assert_true(compression_ratio((struct compression_totals){ 0 }) == 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(records_unfold_to_themselves_in_either_byte_order),
		cmocka_unit_test(records_of_the_tools_stay_outside),
		cmocka_unit_test(what_does_not_get_smaller_fits_all_the_same),
		cmocka_unit_test(no_record_decompresses_to_more_than_is_announced),
		cmocka_unit_test(a_flush_refers_to_what_precedes_it),
		cmocka_unit_test(a_new_frame_begins_every_2_mib),
		cmocka_unit_test(the_last_record_may_be_cut),
		cmocka_unit_test(levels_are_1_to_22),
	};

	return cmocka_run_group_tests_name("format/write/compress", tests, NULL, NULL);
}
