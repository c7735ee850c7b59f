#include "format/decompress.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/strbuf.h"
#include "base/xalloc.h"
#include "format/perf_abi.h"
#include "format/perf_file.h"
#include "format/write/compress.h"
#include "support/cmocka.h"
#include "support/perf_data_builder.h"

#ifdef HAVE_LIBZSTD

#include <zstd.h>

/* One zstd stream over `bytes`, flushed after each piece, as perf record -z does. */
struct compressed {
	ZSTD_CStream *stream;
	char out[128 * 1024];
};

static size_t compress(struct compressed *c, const void *bytes, size_t size)
{
	ZSTD_inBuffer input = { .src = bytes, .size = size };
	ZSTD_outBuffer output = { .dst = c->out, .size = sizeof(c->out) };

	assert_int_equal(ZSTD_compressStream2(c->stream, &output, &input, ZSTD_e_flush), 0);
	return output.pos;
}

/* Samples of 48 bytes; the n-th one has ip 0x400000 + n. */
static struct perf_data_builder *build_samples(size_t count)
{
	struct perf_data_builder *b = perf_data_builder_create(BUILD_NATIVE);
	const struct built_event event = { .attr = { .size = sizeof(event.attr),
						     .sample_type = PERF_SAMPLE_IP | PERF_SAMPLE_TID |
								    PERF_SAMPLE_TIME | PERF_SAMPLE_PERIOD |
								    PERF_SAMPLE_CPU } };

	perf_data_builder_add_event(b, &event);
	for (size_t i = 0; i < count; i++)
		perf_data_builder_sample(b, &(struct built_sample){ .ip = 0x400000 + i });
	return b;
}

enum compressed_form { FORM_COMPRESSED, FORM_COMPRESSED2 };

/* Replaces the records by compressed ones with `piece` bytes each, regardless of record boundaries. */
static void compress_records(struct perf_data_builder *b, size_t piece, enum compressed_form form)
{
	struct compressed *c = xcalloc(1, sizeof(*c));
	struct strbuf plain = b->records;

	c->stream = ZSTD_createCStream();
	strbuf_init(&b->records);
	for (size_t start = 0; start < plain.size; start += piece) {
		size_t left = plain.size - start,
		       size = compress(c, plain.bytes + start, left < piece ? left : piece);

		if (form == FORM_COMPRESSED2) {
			perf_data_builder_begin(b, PERF_RECORD_COMPRESSED2, 0);
			perf_data_builder_u64(b, size);
			perf_data_builder_bytes(b, c->out, size);
			perf_data_builder_bytes(b, "\xff\xff\xff\xff\xff\xff\xff", -size & 7);
		} else {
			perf_data_builder_begin(b, PERF_RECORD_COMPRESSED, 0);
			perf_data_builder_bytes(b, c->out, size);
		}
		perf_data_builder_end(b);
	}
	ZSTD_freeCStream(c->stream);
	strbuf_fini(&plain);
	free(c);
}

/* Reads a file of numbered samples to its end; returns their number. */
static size_t count_samples(struct perf_file *file)
{
	struct event event;
	struct error err;
	size_t count = 0;

	while (perf_file_next(file, &event, &err) == 1) {
		struct byte_reader r = event_payload(&event);

		assert_int_equal(event.type, PERF_RECORD_SAMPLE);
		assert_int_equal(byte_reader_u64(&r), 0x400000 + count);
		count++;
	}
	return count;
}

static void records_may_begin_in_one_compressed_record_and_end_in_another(void **state)
{
	static const size_t pieces[] = { 1, 7, 48, 1000, 60000 };
	static const enum compressed_form forms[] = { FORM_COMPRESSED, FORM_COMPRESSED2 };

	(void)state;
	for (size_t i = 0; i < 10; i++) {
		struct perf_data_builder *b = build_samples(pieces[i / 2] == 1 ? 10 : 5000);
		struct perf_file *file;

		compress_records(b, pieces[i / 2], forms[i % 2]);
		perf_data_builder_feature(b, HEADER_COMPRESSED, "\1\0\0\0\1\0\0\0\3\0\0\0\7\0\0\0\0\0\0\0",
					  20);
		perf_data_builder_finish_file(b);
		file = perf_data_builder_open(b);
		assert_false(perf_file_is_stable(file));
		assert_int_equal(perf_file_features(file)->compression_level, 3);
		assert_int_equal(perf_file_features(file)->compression_ratio, 7);
		assert_int_equal(count_samples(file), pieces[i / 2] == 1 ? 10 : 5000);
		assert_string_equal(perf_file_damage(file)->first_reason, "");
		perf_file_close(file);
		perf_data_builder_destroy(b);
	}
}

/* The header announces no compression, so events were promised to stay valid, and do. */
static void unannounced_compression_keeps_the_promise_of_stable_events(void **state)
{
	enum { COUNT = 20000 };
	struct perf_data_builder *b = build_samples(COUNT);
	const uint8_t **payloads = xcalloc(COUNT, sizeof(payloads[0]));
	struct perf_file *file;
	struct event event;
	struct error err;
	size_t count = 0;

	(void)state;
	compress_records(b, 60000, FORM_COMPRESSED);
	perf_data_builder_feature_string(b, HEADER_HOSTNAME, "sirius");
	perf_data_builder_finish_file(b);
	file = perf_data_builder_open(b);
	assert_true(perf_file_is_stable(file));
	while (perf_file_next(file, &event, &err) == 1)
		payloads[count++] = event.payload;
	assert_int_equal(count, COUNT);
	for (size_t i = 0; i < COUNT; i++) {
		uint64_t ip;

		memcpy(&ip, payloads[i], sizeof(ip));
		assert_int_equal(ip, 0x400000 + i);
	}
	perf_file_close(file);
	perf_data_builder_destroy(b);
	free(payloads);
}

static void a_damaged_stream_is_counted_and_what_follows_is_read(void **state)
{
	struct perf_data_builder *b = build_samples(5000);
	struct perf_file *file;

	(void)state;
	compress_records(b, 60000, FORM_COMPRESSED);
	memset(b->records.bytes + 8, 0x55, 16); /* magic number of the first frame, and more */
	perf_data_builder_sample(b, &(struct built_sample){ .ip = 0x400000 });
	perf_data_builder_finish_file(b);
	file = perf_data_builder_open(b);
	assert_int_equal(count_samples(file), 1);
	assert_non_null(strstr(perf_file_damage(file)->first_reason, "damaged zstd stream"));
	assert_int_equal(perf_file_damage(file)->skipped_records,
			 4); /* four pieces of the 240000 bytes, all lost */
	perf_file_close(file);
	perf_data_builder_destroy(b);
}

static void a_record_that_never_ends_is_noted(void **state)
{
	struct perf_data_builder *b = build_samples(10);
	struct perf_file *file;

	(void)state;
	b->records.size -= 8;
	compress_records(b, 60000, FORM_COMPRESSED);
	perf_data_builder_finish_file(b);
	file = perf_data_builder_open(b);
	assert_int_equal(count_samples(file), 9);
	assert_true(perf_file_damage(file)->truncated);
	assert_string_equal(perf_file_damage(file)->first_reason,
			    "the last compressed record ends inside a record");
	assert_int_equal(perf_file_damage(file)->skipped_bytes, 40);
	perf_file_close(file);
	perf_data_builder_destroy(b);
}

/* Samples with periods that cannot be compressed: enough of them for the thread to be started. */
static struct perf_data_builder *build_large(size_t count)
{
	struct perf_data_builder *b = build_samples(0);
	uint64_t random = 1;

	for (size_t i = 0; i < count; i++) {
		random = random * 6364136223846793005u + 1442695040888963407u;
		perf_data_builder_sample(b, &(struct built_sample){ .ip = 0x400000 + i,
								    .time_ns = random,
								    .period = random * 0x9e3779b97f4a7c15u });
	}
	return b;
}

static void large_files_are_unfolded_ahead_with_the_same_result(void **state)
{
	enum { COUNT = 150000 };
	static const size_t pieces[] = { 5000, 60001 };

	(void)state;
	for (size_t i = 0; i < 2; i++) {
		struct perf_data_builder *b = build_large(COUNT);
		struct perf_file *file;
		size_t count;

		compress_records(b, pieces[i], FORM_COMPRESSED);
		assert_true(b->records.size > 2 * 1024 * 1024);
		perf_data_builder_finish_file(b);
		file = perf_data_builder_open(b);
		assert_int_equal(count_samples(file), COUNT);
		assert_string_equal(perf_file_damage(file)->first_reason, "");
		perf_file_close(file);

		memset(b->out.bytes + b->out.size / 2, 0x5a, 40000); /* no record begins with such bytes */
		file = perf_data_builder_open(b);
		count = count_samples(file);
		assert_in_range(count, COUNT / 3, COUNT * 2 / 3);
		assert_true(perf_file_damage(file)->skipped_records > 0);
		perf_file_close(file);
		perf_data_builder_destroy(b);
	}
}

/* The background thread reads mapped bytes until it has ended. */
static void a_file_may_be_closed_while_it_is_unfolded(void **state)
{
	struct perf_data_builder *b = build_large(100000);
	char path[] = "/tmp/xprof-decompress-XXXXXX";
	const int fd = mkstemp(path);
	struct event event;
	struct error err;

	(void)state;
	assert_true(fd >= 0);
	compress_records(b, 1000, FORM_COMPRESSED);
	perf_data_builder_finish_file(b);
	assert_int_equal(write(fd, b->out.bytes, b->out.size), (ssize_t)b->out.size);
	close(fd);
	for (int i = 0; i < 30; i++) {
		struct perf_file *file = perf_file_open(path, &err);

		assert_non_null(file);
		assert_int_equal(perf_file_next(file, &event, &err), 1);
		perf_file_close(file);
	}
	unlink(path);
	perf_data_builder_destroy(b);
}

/* 64 KiB of compressed zeros expand to 2 GiB of records of size 0; the first one ends the reading. */
static void what_expands_beyond_measure_takes_no_memory(void **state)
{
	struct decompressor *decompressor = decompressor_create(false, false);
	struct compressed *c = xcalloc(1, sizeof(*c));
	char *zeros = xcalloc(1, 64 * 1024 * 1024);
	struct event event;
	struct error err;
	size_t size;

	(void)state;
	c->stream = ZSTD_createCStream();
	size = compress(c, zeros, 64 * 1024 * 1024);
	assert_true(size < 16 * 1024);
	decompressor_feed(decompressor, (const uint8_t *)c->out, size, 0);
	assert_int_equal(record_source_next(decompressor_source(decompressor), &event, &err),
			 RECORD_TOO_SMALL);
	decompressor_reset(decompressor);
	assert_int_equal(record_source_next(decompressor_source(decompressor), &event, &err), RECORD_END);
	decompressor_destroy(decompressor);
	ZSTD_freeCStream(c->stream);
	free(zeros);
	free(c);
}

/* --- as xprof writes it: a new frame every 2 MiB --------------------------------------- */

enum {
	FRAMED_SAMPLES = 150000, /* 7.2 MB, so four frames */
	BEYOND_FIRST_FRAME = 50000,
	FLUSHED_SAMPLES = 500,
	FIRST_IP = 0x400000,
};

/* Replaces the samples by compressed records of FLUSHED_SAMPLES each, but leaves out the compressed record with this number. */
static void pack_records(struct perf_data_builder *b, size_t left_out)
{
	const size_t flush_bytes = FLUSHED_SAMPLES * (b->records.size / FRAMED_SAMPLES);
	struct compressor *compressor = compressor_create(COMPRESS_LEVEL_DEFAULT, false, NULL);
	struct strbuf plain = b->records;

	strbuf_init(&b->records);
	for (size_t i = 0; i * flush_bytes < plain.size; i++) {
		const size_t before = b->records.size;

		assert_int_equal(compressor_pack(compressor, plain.bytes + i * flush_bytes, flush_bytes,
						 &b->records, NULL),
				 0);
		if (i == left_out)
			b->records.size = before;
	}
	compressor_destroy(compressor);
	strbuf_fini(&plain);
	perf_data_builder_finish_file(b);
}

/* Returns how many samples before BEYOND_FIRST_FRAME were read; all others must be there. */
static size_t count_in_first_frame(struct perf_data_builder *b, uint64_t *damaged_records)
{
	struct perf_file *file = perf_data_builder_open(b);
	uint64_t ip, next = FIRST_IP + BEYOND_FIRST_FRAME;
	struct event event;
	struct error err;
	size_t count = 0;

	while (perf_file_next(file, &event, &err) == 1) {
		struct byte_reader r = event_payload(&event);

		ip = byte_reader_u64(&r);
		if (ip == next)
			next++;
		else
			count += event.type == PERF_RECORD_SAMPLE && ip < FIRST_IP + BEYOND_FIRST_FRAME;
	}
	assert_int_equal(next, FIRST_IP + FRAMED_SAMPLES);
	*damaged_records = perf_file_damage(file)->skipped_records;
	perf_file_close(file);
	return count;
}

/* Damage of the 20th compressed record, before the samples of the first frame's middle. */
static void damage(struct perf_data_builder *b)
{
	const uint8_t *bytes = (const uint8_t *)b->out.bytes;
	size_t at = b->out.size - b->records.size;
	uint16_t size;

	for (int i = 0; i < 20; i++, at += size)
		memcpy(&size, bytes + at + 6, sizeof(size));
	memset(b->out.bytes + at + PERF_RECORD_HEADER_SIZE, 0x55, 60);
}

static void damage_in_a_frame_leaves_the_frames_behind_it(void **state)
{
	(void)state;
	for (int large = 0; large < 2; large++) {
		struct perf_data_builder *b =
			large ? build_large(FRAMED_SAMPLES) : build_samples(FRAMED_SAMPLES);
		uint64_t damaged;

		pack_records(b, SIZE_MAX);
		assert_int_equal(count_in_first_frame(b, &damaged), BEYOND_FIRST_FRAME);
		assert_int_equal(damaged, 0);
		damage(b);
		assert_in_range(count_in_first_frame(b, &damaged), 20 * FLUSHED_SAMPLES,
				BEYOND_FIRST_FRAME / 2);
		assert_true(damaged > 0);
		perf_data_builder_destroy(b);
	}
}

/* zstd cannot see that a part is missing, and goes on with other bytes. The frame's checksum tells. */
static void a_frame_that_lost_a_part_is_damaged(void **state)
{
	(void)state;
	for (int large = 0; large < 2; large++) {
		struct perf_data_builder *b =
			large ? build_large(FRAMED_SAMPLES) : build_samples(FRAMED_SAMPLES);
		uint64_t damaged;

		pack_records(b, 20);
		assert_in_range(count_in_first_frame(b, &damaged), 20 * FLUSHED_SAMPLES,
				BEYOND_FIRST_FRAME - FLUSHED_SAMPLES);
		assert_true(damaged > 0);
		perf_data_builder_destroy(b);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(records_may_begin_in_one_compressed_record_and_end_in_another),
		cmocka_unit_test(unannounced_compression_keeps_the_promise_of_stable_events),
		cmocka_unit_test(a_damaged_stream_is_counted_and_what_follows_is_read),
		cmocka_unit_test(a_record_that_never_ends_is_noted),
		cmocka_unit_test(large_files_are_unfolded_ahead_with_the_same_result),
		cmocka_unit_test(a_file_may_be_closed_while_it_is_unfolded),
		cmocka_unit_test(what_expands_beyond_measure_takes_no_memory),
		cmocka_unit_test(damage_in_a_frame_leaves_the_frames_behind_it),
		cmocka_unit_test(a_frame_that_lost_a_part_is_damaged),
	};

	return cmocka_run_group_tests_name("format/decompress", tests, NULL, NULL);
}

#else

/* Without libzstd, a compressed record is an error whose message names the missing library. */
static void a_compressed_record_names_the_missing_library(void **state)
{
	struct perf_data_builder *b = perf_data_builder_create(BUILD_NATIVE);
	struct perf_file *file;
	struct event event;
	struct error err;

	(void)state;
	perf_data_builder_add_event(b, &(struct built_event){ 0 });
	perf_data_builder_begin(b, PERF_RECORD_COMPRESSED, 0);
	perf_data_builder_end(b);
	perf_data_builder_finish_file(b);
	file = perf_data_builder_open(b);
	assert_int_equal(perf_file_next(file, &event, &err), -1);
	assert_non_null(strstr(err.message, "built without libzstd"));
	perf_file_close(file);
	perf_data_builder_destroy(b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_compressed_record_names_the_missing_library),
	};

	return cmocka_run_group_tests_name("format/decompress", tests, NULL, NULL);
}

#endif
