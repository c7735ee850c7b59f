#include "format/write/feature_encode.h"

#include "base/byte_reader.h"
#include "support/cmocka.h"

static struct byte_reader reader(const struct strbuf *bytes)
{
	return byte_reader_over(bytes->bytes, bytes->size, false);
}

static void a_string_is_padded_to_64_bytes_with_its_terminator(void **state)
{
	struct strbuf out;
	struct byte_reader r;

	(void)state;
	strbuf_init(&out);
	feature_add_string(&out, "x86_64");
	assert_int_equal(out.size, 4 + 64);
	r = reader(&out);
	assert_int_equal(byte_reader_u32(&r), 64);
	assert_string_equal(byte_reader_string(&r, 64), "x86_64");
	strbuf_reset(&out);
	feature_add_string(&out, "0123456789012345678901234567890123456789012345678901234567890123"); /* 64 */
	assert_int_equal(out.size, 4 + 128);
	strbuf_fini(&out);
}

static void the_table_lists_sections_that_lie_behind_it(void **state)
{
	static const uint8_t build_id[20] = { 1 };
	struct feature_set set = { 0 };
	struct strbuf out;
	struct byte_reader r;
	uint64_t bits[4];

	(void)state;
	strbuf_init(&out);
	feature_set_put(&set, 200, "later", 5);
	feature_set_put(&set, HEADER_ARCH, "arch", 4);
	feature_set_add_build_id(&set, "/bin/true", 2, build_id, 20);
	feature_set_add_table(&set, &out, 1000, bits);
	assert_int_equal(bits[0], 1 << HEADER_BUILD_ID | 1 << HEADER_ARCH);
	assert_int_equal(bits[3], 1 << (200 - 192));
	r = reader(&out);
	assert_int_equal(byte_reader_u64(&r), 1048); /* BUILD_ID, after 3 sections of 16 bytes */
	assert_int_equal(byte_reader_u64(&r), 36 + 64);
	assert_int_equal(byte_reader_u64(&r), 1148);
	assert_int_equal(byte_reader_u64(&r), 4);
	assert_int_equal(byte_reader_u64(&r), 1152);
	assert_int_equal(byte_reader_u64(&r), 5);
	assert_memory_equal(out.bytes + 148, "archlater", 9);
	assert_int_equal(out.size, 157);
	feature_set_fini(&set);
	strbuf_fini(&out);
}

static void some_features_and_long_ones_have_no_place_in_a_record(void **state)
{
	(void)state;
	assert_true(feature_fits_record(HEADER_CMDLINE, 65512));
	assert_false(feature_fits_record(HEADER_CMDLINE, 65513)); /* 65528 with its header is the most */
	assert_false(feature_fits_record(HEADER_CACHE, 8));
	assert_false(feature_fits_record(HEADER_DIR_FORMAT, 8));
}

static void a_path_has_one_build_id_the_last(void **state)
{
	static const uint8_t old[20] = { 1 }, new[16] = { 2 };
	struct feature_set set = { 0 };
	struct strbuf out;

	(void)state;
	strbuf_init(&out);
	feature_set_add_build_id(&set, "/bin/true", 2, old, 20);
	feature_set_add_build_id(&set, "/bin/false", 2, old, 20);
	feature_set_add_build_id(&set, "/bin/true", 2, new, 16);
	assert_int_equal(set.build_id_count, 2);
	assert_int_equal(set.build_ids[0].build_id[0], 2);
	assert_int_equal(set.build_ids[0].build_id_size, 16);
	feature_set_fini(&set);
	strbuf_fini(&out);
}

static void records_have_a_multiple_of_eight_bytes_and_say_which_feature(void **state)
{
	struct feature_set set = { 0 };
	struct strbuf out;
	struct byte_reader r;

	(void)state;
	strbuf_init(&out);
	feature_set_put(&set, HEADER_ARCH, "x86", 4);
	assert_int_equal(feature_set_add_records(&set, FEATURE_RECORDS_IN_FILE, &out), 0);
	r = reader(&out);
	assert_int_equal(byte_reader_u32(&r), PERF_RECORD_HEADER_FEATURE);
	assert_int_equal(byte_reader_u16(&r), 0);
	assert_int_equal(byte_reader_u16(&r), 24);
	assert_int_equal(byte_reader_u64(&r), HEADER_ARCH);
	assert_memory_equal(byte_reader_bytes(&r, 8), "x86\0\0\0\0\0", 8);
	assert_int_equal(byte_reader_left(&r), 0);
	feature_set_fini(&set);
	strbuf_fini(&out);
}

static void what_perf_does_not_take_as_a_record_is_left_to_the_table(void **state)
{
	static const unsigned int features[] = { HEADER_DIR_FORMAT, HEADER_BRANCH_STACK, HEADER_CACHE,
						 HEADER_TRACING_DATA };
	struct feature_set set = { 0 };
	struct strbuf out;

	(void)state;
	strbuf_init(&out);
	for (size_t i = 0; i < 4; i++)
		feature_set_put(&set, features[i], "bytes", 5);
	assert_int_equal(feature_set_add_records(&set, FEATURE_RECORDS_IN_FILE, &out), 0);
	assert_int_equal(out.size, 0);
	feature_set_add_records(&set, FEATURE_RECORDS_IN_PIPE, &out);
	/* { type, misc, size 12; u32 size }; the size does not include the bytes, padded to eight */
	assert_int_equal(out.size, 12 + 8);
	assert_memory_equal(out.bytes + 12, "bytes\0\0\0", 8);
	feature_set_fini(&set);
	strbuf_fini(&out);
}

static void a_feature_too_large_for_a_record_is_left_out(void **state)
{
	static const char large[UINT16_MAX];
	struct feature_set set = { 0 };
	struct strbuf out;

	(void)state;
	strbuf_init(&out);
	feature_set_put(&set, HEADER_PMU_MAPPINGS, large, sizeof(large));
	assert_int_equal(feature_set_add_records(&set, FEATURE_RECORDS_IN_FILE, &out), 0);
	feature_set_put(&set, HEADER_EVENT_DESC, large, sizeof(large));
	assert_int_equal(feature_set_add_records(&set, FEATURE_RECORDS_IN_FILE, &out),
			 FEATURE_LEFT_OUT_EVENT_DESC);
	assert_int_equal(out.size, 0);
	feature_set_fini(&set);
	strbuf_fini(&out);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_string_is_padded_to_64_bytes_with_its_terminator),
		cmocka_unit_test(the_table_lists_sections_that_lie_behind_it),
		cmocka_unit_test(a_path_has_one_build_id_the_last),
		cmocka_unit_test(some_features_and_long_ones_have_no_place_in_a_record),
		cmocka_unit_test(records_have_a_multiple_of_eight_bytes_and_say_which_feature),
		cmocka_unit_test(what_perf_does_not_take_as_a_record_is_left_to_the_table),
		cmocka_unit_test(a_feature_too_large_for_a_record_is_left_out),
	};

	return cmocka_run_group_tests_name("format/write/feature_encode", tests, NULL, NULL);
}
