#include "format/branch_entry.h"

#include "support/cmocka.h"

static void flags_are_read_from_the_lowest_bit_of_a_little_endian_file(void **state)
{
	const uint64_t words[] = { 1, 2, 3, 0x10, 0x20, 1 | 4 | 300 << 4 | 5 << 20 | 2 << 24 };
	const struct sample sample = { .branches = (const uint8_t *)words, .branch_count = 2 };
	struct branch_entry branch = sample_branch(&sample, 1);

	(void)state;
	assert_int_equal(branch.from, 0x10);
	assert_int_equal(branch.to, 0x20);
	assert_true(branch.mispredicted);
	assert_false(branch.predicted);
	assert_true(branch.in_transaction);
	assert_false(branch.transaction_abort);
	assert_int_equal(branch.cycles, 300);
	assert_int_equal(branch.type, 5);
	assert_int_equal(branch.speculation, 2);
}

/* In such a file, the first bit field is the highest bit: predicted is bit 62, cycles begins at bit 44, type at bit 40. */
static void flags_are_read_from_the_highest_bit_of_a_big_endian_file(void **state)
{
	const uint64_t flags = (uint64_t)1 << 62 | (uint64_t)300 << 44 | (uint64_t)5 << 40;
	const uint64_t words[] = { __builtin_bswap64(0x10), __builtin_bswap64(0x20),
				   __builtin_bswap64(flags) };
	const struct sample sample = { .branches = (const uint8_t *)words, .branch_count = 1, .swap = true };
	struct branch_entry branch = sample_branch(&sample, 0);

	(void)state;
	assert_int_equal(branch.from, 0x10);
	assert_int_equal(branch.to, 0x20);
	assert_false(branch.mispredicted);
	assert_true(branch.predicted);
	assert_int_equal(branch.cycles, 300);
	assert_int_equal(branch.type, 5);
	assert_int_equal(branch.speculation, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(flags_are_read_from_the_lowest_bit_of_a_little_endian_file),
		cmocka_unit_test(flags_are_read_from_the_highest_bit_of_a_big_endian_file),
	};

	return cmocka_run_group_tests_name("format/branch_entry", tests, NULL, NULL);
}
