#include "report/export/protobuf_writer.h"

#include "support/cmocka.h"

static void holds(struct strbuf *out, const char *bytes, size_t size)
{
	assert_int_equal(out->size, size);
	assert_memory_equal(out->bytes, bytes, size);
	strbuf_reset(out);
}

/* protobuf.dev, "Encoding": field 1 with 150 is 08 96 01, field 2 with "testing" is 12 07 and the text. */
static void fields_are_as_the_specification_has_them(void **state)
{
	struct strbuf out, inner;

	(void)state;
	strbuf_init(&out);
	strbuf_init(&inner);
	protobuf_unsigned(&out, 1, 150);
	holds(&out, "\x08\x96\x01", 3);
	protobuf_text(&out, 2, "testing");
	holds(&out, "\x12\x07testing", 9);
	protobuf_unsigned(&inner, 1, 150);
	protobuf_message(&out, 3, &inner);
	holds(&out, "\x1a\x03\x08\x96\x01", 5);
	strbuf_fini(&inner);
	strbuf_fini(&out);
}

static void zero_and_empty_texts_are_left_out_but_not_items(void **state)
{
	struct strbuf out;

	(void)state;
	strbuf_init(&out);
	protobuf_unsigned(&out, 1, 0);
	protobuf_text(&out, 2, "");
	assert_int_equal(out.size, 0);
	protobuf_bytes(&out, 6, "", 0);
	holds(&out, "\x32\0", 2);
	strbuf_fini(&out);
}

static void numbers_of_64_bits_take_ten_bytes_and_stay_within_int64(void **state)
{
	struct strbuf out;

	(void)state;
	strbuf_init(&out);
	protobuf_varint(&out, UINT64_MAX);
	holds(&out, "\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01", 10);
	assert_int_equal(protobuf_int64(UINT64_MAX), INT64_MAX);
	assert_int_equal(protobuf_int64(7), 7);
	strbuf_fini(&out);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(fields_are_as_the_specification_has_them),
		cmocka_unit_test(zero_and_empty_texts_are_left_out_but_not_items),
		cmocka_unit_test(numbers_of_64_bits_take_ten_bytes_and_stay_within_int64),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
