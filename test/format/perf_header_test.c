#include "format/perf_header.h"

#include "base/strbuf.h"
#include "support/cmocka.h"

/* struct perf_file_header with attrs at offset 104, data of 1000 bytes at 264, and these features */
static struct strbuf header_bytes(bool swap, const uint64_t features[4])
{
	static const uint64_t words[] = { 104, 144, 104, 144, 264, 1000, 0, 0 };
	struct strbuf bytes;

	strbuf_init(&bytes);
	strbuf_add_u64(&bytes, PERF_FILE_MAGIC2, swap);
	for (size_t i = 0; i < 8; i++)
		strbuf_add_u64(&bytes, words[i], swap);
	for (size_t i = 0; i < 4; i++)
		strbuf_add_u64(&bytes, features[i], swap);
	return bytes;
}

static void sections_and_features_are_read_in_either_byte_order(void **state)
{
	const uint64_t features[4] = { 1 << HEADER_HOSTNAME | 1 << HEADER_ARCH, 0, 2, 0 };

	(void)state;
	for (int swap = 0; swap < 2; swap++) {
		struct strbuf bytes = header_bytes(swap, features);
		struct perf_header header;
		struct error err;

		assert_int_equal(perf_header_decode(&header, (const uint8_t *)bytes.bytes, bytes.size, &err),
				 0);
		assert_int_equal(header.swap, swap);
		assert_false(header.pipe);
		assert_int_equal(header.attr_size, 144);
		assert_int_equal(header.attrs.offset, 104);
		assert_int_equal(header.attrs.size, 144);
		assert_int_equal(header.data.offset, 264);
		assert_int_equal(header.data.size, 1000);
		assert_true(perf_header_has(&header, HEADER_HOSTNAME));
		assert_true(perf_header_has(&header, HEADER_ARCH));
		assert_true(perf_header_has(&header, 129));
		assert_false(perf_header_has(&header, HEADER_CPUID));
		assert_int_equal(perf_header_feature_count(&header), 3);
		strbuf_fini(&bytes);
	}
}

/* On such a machine feature 3 is bit 3 of the first 32-bit word, and thus bit 35 of the first 64-bit word. */
static void feature_bits_of_a_32_bit_big_endian_machine_are_put_right(void **state)
{
	const uint64_t features[4] = { (uint64_t)(1 << HEADER_HOSTNAME) << 32, 0, 0, 0 };
	struct strbuf bytes = header_bytes(true, features);
	struct perf_header header;
	struct error err;

	(void)state;
	assert_int_equal(perf_header_decode(&header, (const uint8_t *)bytes.bytes, bytes.size, &err), 0);
	assert_true(perf_header_has(&header, HEADER_HOSTNAME));
	assert_int_equal(perf_header_feature_count(&header), 1);
	strbuf_fini(&bytes);
}

static void a_header_of_sixteen_bytes_is_that_of_a_pipe(void **state)
{
	struct perf_header header;
	struct error err;
	struct strbuf bytes;

	(void)state;
	strbuf_init(&bytes);
	strbuf_add_u64(&bytes, PERF_FILE_MAGIC2, true);
	strbuf_add_u64(&bytes, PERF_PIPE_HEADER_SIZE, true);
	assert_int_equal(perf_header_decode(&header, (const uint8_t *)bytes.bytes, bytes.size, &err), 0);
	assert_true(header.pipe);
	assert_true(header.swap);
	strbuf_fini(&bytes);
}

static void assert_refused(const void *bytes, size_t size, const char *message)
{
	struct perf_header header;
	struct error err;

	assert_int_equal(perf_header_decode(&header, bytes, size, &err), -1);
	assert_string_equal(err.message, message);
}

static void what_cannot_be_used_is_refused_with_the_reason(void **state)
{
	const uint64_t features[4] = { 0 };
	struct strbuf bytes = header_bytes(false, features);

	(void)state;
	assert_refused("", 0, "the file is empty; nothing was recorded into it");
	assert_refused("text", 4, "too short for a perf.data file: 4 bytes");
	assert_refused("#!/bin/sh\necho hello", 20, "not a perf.data file: it does not begin with PERFILE2");
	assert_refused(bytes.bytes, 15, "too short for a perf.data file: 15 bytes");
	assert_refused(bytes.bytes, 103, "the file ends inside its header");
	bytes.bytes[16] = 6;
	assert_refused(bytes.bytes, bytes.size,
		       "damaged header: attributes of 6 bytes, fewer than the minimum 80");
	bytes.bytes[8] = 17;
	assert_refused(bytes.bytes, bytes.size, "damaged header: it claims a size of 17 bytes");
	strbuf_fini(&bytes);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(sections_and_features_are_read_in_either_byte_order),
		cmocka_unit_test(feature_bits_of_a_32_bit_big_endian_machine_are_put_right),
		cmocka_unit_test(a_header_of_sixteen_bytes_is_that_of_a_pipe),
		cmocka_unit_test(what_cannot_be_used_is_refused_with_the_reason),
	};

	return cmocka_run_group_tests_name("format/perf_header", tests, NULL, NULL);
}
