#include "format/protobuf_field.h"

#include "support/cmocka.h"

static struct byte_reader over(const char *bytes, size_t size)
{
	return byte_reader_over(bytes, size, false);
}

static void fields_come_in_their_order_with_number_and_value(void **state)
{
	/* field 1: varint 300; field 2: "ab"; field 3: 64 bits; field 16: 32 bits */
	struct byte_reader message = over(
		"\x08\xac\x02\x12\x02\x61\x62\x19\x01\x02\x03\x04\x05\x06\x07\x08\x85\x01\x0a\x00\x00\x00",
		22);
	struct protobuf_field field;

	(void)state;
	assert_int_equal(protobuf_field_next(&message, &field), 1);
	assert_int_equal(field.number, 1);
	assert_int_equal(field.value, 300);
	assert_int_equal(protobuf_field_next(&message, &field), 1);
	assert_int_equal(field.number, 2);
	assert_int_equal(byte_reader_left(&field.bytes), 2);
	assert_memory_equal(field.bytes.next, "ab", 2);
	assert_int_equal(protobuf_field_next(&message, &field), 1);
	assert_int_equal(field.value, 0x0807060504030201);
	assert_int_equal(protobuf_field_next(&message, &field), 1);
	assert_int_equal(field.number, 16);
	assert_int_equal(field.value, 10);
	assert_int_equal(protobuf_field_next(&message, &field), 0);
}

static void a_negative_number_takes_ten_bytes(void **state)
{
	struct byte_reader message = over("\x08\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01", 11);
	struct protobuf_field field;

	(void)state;
	assert_int_equal(protobuf_field_next(&message, &field), 1);
	assert_int_equal(field.value, UINT64_MAX);
}

static void what_is_no_field_is_refused(void **state)
{
	static const struct {
		const char *bytes;
		size_t size;
	} broken[] = {
		{ "\x08", 1 },                                              /* the value is missing */
		{ "\x12\x05\x61", 3 },                                      /* longer than the message */
		{ "\x08\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01", 12 }, /* more than ten bytes */
		{ "\x0b", 1 },                                              /* a group */
	};

	(void)state;
	for (size_t i = 0; i < sizeof(broken) / sizeof(broken[0]); i++) {
		struct byte_reader message = over(broken[i].bytes, broken[i].size);
		struct protobuf_field field;

		assert_int_equal(protobuf_field_next(&message, &field), -1);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(fields_come_in_their_order_with_number_and_value),
		cmocka_unit_test(a_negative_number_takes_ten_bytes),
		cmocka_unit_test(what_is_no_field_is_refused),
	};

	return cmocka_run_group_tests_name("format/protobuf_field", tests, NULL, NULL);
}
