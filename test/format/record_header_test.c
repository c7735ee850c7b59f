#include "format/record_header.h"

#include "support/cmocka.h"

static void assert_header(bool swap, size_t size_bytes, const uint8_t expected[8])
{
	struct strbuf out;

	strbuf_init(&out);
	record_header_add(&out, 0x01020304, 0x0506, size_bytes, swap);
	assert_int_equal(out.size, 8);
	assert_memory_equal(out.bytes, expected, 8);
	strbuf_fini(&out);
}

static void a_header_is_type_misc_and_size_in_either_byte_order(void **state)
{
	const bool big = __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__;

	(void)state;
	assert_header(big, 0x0708, (const uint8_t[]){ 4, 3, 2, 1, 6, 5, 8, 7 });
	assert_header(!big, 0x0708, (const uint8_t[]){ 1, 2, 3, 4, 5, 6, 7, 8 });
}

static void of_a_size_16_bits_are_written(void **state)
{
	const bool big = __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__;

	(void)state;
	assert_header(big, 0x120708, (const uint8_t[]){ 4, 3, 2, 1, 6, 5, 8, 7 });
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_header_is_type_misc_and_size_in_either_byte_order),
		cmocka_unit_test(of_a_size_16_bits_are_written),
	};

	return cmocka_run_group_tests_name("format/record_header", tests, NULL, NULL);
}
