#include "base/byte_reader.h"

#include "support/cmocka.h"

static const uint8_t bytes[] = { 0x01, 0x02, 0x03, 0x04, 0x05, 0x06, 0x07, 0x08,
				 0x09, 0x0a, 0x0b, 0x0c, 0x0d, 0x0e, 0x0f };

/* The machine's byte order decides which of the two readers swaps. */
static const bool big_endian_machine = __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__;

static void integers_are_read_in_little_endian_order(void **state)
{
	struct byte_reader r = byte_reader_over(bytes, sizeof(bytes), big_endian_machine);

	(void)state;
	assert_int_equal(byte_reader_u8(&r), 0x01);
	assert_int_equal(byte_reader_u16(&r), 0x0302);
	assert_int_equal(byte_reader_u32(&r), 0x07060504);
	assert_true(byte_reader_u64(&r) == 0x0f0e0d0c0b0a0908u);
	assert_int_equal(byte_reader_left(&r), 0);
	assert_true(byte_reader_ok(&r));
}

static void integers_are_read_in_big_endian_order(void **state)
{
	struct byte_reader r = byte_reader_over(bytes, sizeof(bytes), !big_endian_machine);

	(void)state;
	assert_int_equal(byte_reader_u8(&r), 0x01);
	assert_int_equal(byte_reader_u16(&r), 0x0203);
	assert_int_equal(byte_reader_u32(&r), 0x04050607);
	assert_true(byte_reader_u64(&r) == 0x08090a0b0c0d0e0fu);
	assert_true(byte_reader_ok(&r));
}

static void read_past_the_end_fails_and_stays_failed(void **state)
{
	struct byte_reader r = byte_reader_over(bytes, 3, false);

	(void)state;
	assert_int_equal(byte_reader_u32(&r), 0);
	assert_false(byte_reader_ok(&r));
	/* The three bytes are still there, but the reader knows that the record is damaged. */
	assert_int_equal(byte_reader_u8(&r), 0);
	assert_null(byte_reader_bytes(&r, 0));
	assert_int_equal(byte_reader_left(&r), 3);
}

static void sizes_that_would_wrap_the_pointer_fail(void **state)
{
	struct byte_reader r = byte_reader_over(bytes, sizeof(bytes), false);

	(void)state;
	byte_reader_skip(&r, SIZE_MAX);
	assert_false(byte_reader_ok(&r));
}

static void nothing_can_be_read_from_null(void **state)
{
	struct byte_reader r = byte_reader_over(NULL, 8, false);

	(void)state;
	assert_int_equal(byte_reader_left(&r), 0);
	byte_reader_skip(&r, 0);
	assert_true(byte_reader_ok(&r));
	assert_int_equal(byte_reader_u8(&r), 0);
	assert_false(byte_reader_ok(&r));
}

static void sub_reader_is_bounded_and_stepped_over(void **state)
{
	struct byte_reader r = byte_reader_over(bytes, sizeof(bytes), !big_endian_machine);
	struct byte_reader sub = byte_reader_sub(&r, 2);

	(void)state;
	assert_int_equal(byte_reader_u16(&sub), 0x0102);
	assert_int_equal(byte_reader_u8(&sub), 0);
	assert_false(byte_reader_ok(&sub));
	assert_true(byte_reader_ok(&r));
	assert_int_equal(byte_reader_u8(&r), 0x03);
}

static void sub_reader_larger_than_its_parent_fails_in_both(void **state)
{
	struct byte_reader r = byte_reader_over(bytes, sizeof(bytes), false);
	struct byte_reader sub = byte_reader_sub(&r, sizeof(bytes) + 1);

	(void)state;
	assert_false(byte_reader_ok(&r));
	assert_false(byte_reader_ok(&sub));
	assert_int_equal(byte_reader_left(&sub), 0);
}

static void string_steps_over_its_whole_field(void **state)
{
	static const char field[] = "cycles\0\0x";
	struct byte_reader r = byte_reader_over(field, sizeof(field), false);

	(void)state;
	assert_string_equal(byte_reader_string(&r, 8), "cycles");
	assert_int_equal(byte_reader_u8(&r), 'x');
}

static void string_without_terminator_fails(void **state)
{
	static const char field[] = "abcdef";
	struct byte_reader r = byte_reader_over(field, sizeof(field), false);
	struct byte_reader empty = byte_reader_over(field, sizeof(field), false);

	(void)state;
	assert_null(byte_reader_string(&r, 6));
	assert_false(byte_reader_ok(&r));
	assert_null(byte_reader_string(&empty, 0));
	assert_false(byte_reader_ok(&empty));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(integers_are_read_in_little_endian_order),
		cmocka_unit_test(integers_are_read_in_big_endian_order),
		cmocka_unit_test(read_past_the_end_fails_and_stays_failed),
		cmocka_unit_test(sizes_that_would_wrap_the_pointer_fail),
		cmocka_unit_test(nothing_can_be_read_from_null),
		cmocka_unit_test(sub_reader_is_bounded_and_stepped_over),
		cmocka_unit_test(sub_reader_larger_than_its_parent_fails_in_both),
		cmocka_unit_test(string_steps_over_its_whole_field),
		cmocka_unit_test(string_without_terminator_fails),
	};

	return cmocka_run_group_tests_name("base/byte_reader", tests, NULL, NULL);
}
