#include "unwind/cfi/encoded_pointer.h"

#include <dwarf.h>

#include "support/cmocka.h"

static const uint8_t bytes[] = { 0x10, 0xff, 0xff, 0xff, 0xfe, 0xff, 0xff, 0xff, 1, 2, 3, 4, 5, 6, 7, 8 };

/* Reads the bytes from `skip` on, which lie at 0x5000 + skip. Returns false if the reader failed. */
static bool read_at(size_t skip, uint8_t encoding, size_t address_bytes, uint64_t *value)
{
	const struct pointer_bases bases = { .bytes = bytes,
					     .bytes_vaddr = 0x5000,
					     .data_vaddr = 0x9000,
					     .text_vaddr = 0xa000,
					     .address_bytes = address_bytes };
	struct byte_reader r = byte_reader_over(bytes, sizeof(bytes), false);

	byte_reader_skip(&r, skip);
	*value = encoded_pointer_read(&r, encoding, &bases);
	return byte_reader_ok(&r);
}

static void assert_pointer(size_t skip, uint8_t encoding, uint64_t expected)
{
	uint64_t value;

	assert_true(read_at(skip, encoding, 8, &value));
	assert_int_equal(value, expected);
}

static void each_format_is_read(void **state)
{
	(void)state;
	assert_pointer(8, DW_EH_PE_absptr, 0x0807060504030201);
	assert_pointer(8, DW_EH_PE_udata2, 0x0201);
	assert_pointer(8, DW_EH_PE_udata4, 0x04030201);
	assert_pointer(8, DW_EH_PE_udata8, 0x0807060504030201);
	assert_pointer(8, DW_EH_PE_sdata8, 0x0807060504030201);
	assert_pointer(4, DW_EH_PE_sdata2, (uint64_t)-2);
	assert_pointer(4, DW_EH_PE_sdata4, (uint64_t)-2);
	assert_pointer(8, DW_EH_PE_uleb128, 1);
	assert_pointer(4, DW_EH_PE_sleb128, 0x1ffffffe); /* fe ff ff ff 01 */
}

static void each_base_is_added(void **state)
{
	(void)state;
	assert_pointer(4, DW_EH_PE_pcrel | DW_EH_PE_sdata4, 0x5002);
	assert_pointer(4, DW_EH_PE_datarel | DW_EH_PE_sdata4, 0x8ffe);
	assert_pointer(4, DW_EH_PE_textrel | DW_EH_PE_sdata4, 0x9ffe);
	assert_pointer(5, DW_EH_PE_aligned, 0x0807060504030201); /* at the next multiple of 8 */
}

static void addresses_of_32_bit_files_wrap_at_32_bits(void **state)
{
	uint64_t value;

	(void)state;
	assert_true(read_at(8, DW_EH_PE_absptr, 4, &value));
	assert_int_equal(value, 0x04030201);
	assert_true(read_at(0, DW_EH_PE_pcrel | DW_EH_PE_sdata4, 4, &value)); /* -0xf0 */
	assert_int_equal(value, 0x4f10);
}

static void pointers_into_a_running_process_fail(void **state)
{
	uint64_t value;

	(void)state;
	assert_false(read_at(0, DW_EH_PE_indirect | DW_EH_PE_sdata4, 8, &value));
	assert_false(read_at(0, DW_EH_PE_funcrel | DW_EH_PE_sdata4, 8, &value));
	assert_false(read_at(0, DW_EH_PE_omit, 8, &value));
	assert_false(read_at(0, 0x05, 8, &value));
	assert_false(read_at(14, DW_EH_PE_udata4, 8, &value)); /* cut off */
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_format_is_read),
		cmocka_unit_test(each_base_is_added),
		cmocka_unit_test(addresses_of_32_bit_files_wrap_at_32_bits),
		cmocka_unit_test(pointers_into_a_running_process_fail),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
