#include "format/lbr_stitch.h"

#include <string.h>

#include "support/cmocka.h"

enum { REGISTERS = 4, FIRST_CALL = 0x1000 };

/*
 * A thread with `depth` calls. Call n is the instruction FIRST_CALL + n, in register n modulo REGISTERS; the CPU keeps the
 * innermost ones.
 */
struct deep_sample {
	uint64_t branches[REGISTERS * 3];
	struct sample sample;
};

static struct sample *sample_at(struct deep_sample *deep, uint32_t tid, size_t depth)
{
	const size_t count = depth < REGISTERS ? depth : REGISTERS;

	for (size_t i = 0; i < count; i++) {
		deep->branches[3 * i] = FIRST_CALL + depth - 1 - i;
		deep->branches[3 * i + 1] = 0x9000 + depth - 1 - i;
		deep->branches[3 * i + 2] = 0;
	}
	deep->sample = (struct sample){ .tid = tid,
					.branches = (const uint8_t *)deep->branches,
					.branch_count = count,
					.branch_hw_index = (depth - 1) % REGISTERS };
	return &deep->sample;
}

static void assert_stitched(struct lbr_stitch *stitch, const struct sample *sample, size_t count,
			    uint64_t innermost)
{
	const uint64_t *calls;

	assert_int_equal(lbr_stitch_add(stitch, sample, &calls), count);
	for (size_t i = 0; i < count; i++)
		assert_int_equal(calls[i], innermost - i);
}

static void calls_that_were_overwritten_follow_from_sample_to_sample(void **state)
{
	struct lbr_stitch *stitch = lbr_stitch_create(REGISTERS);
	struct deep_sample deep;

	(void)state;
	assert_stitched(stitch, sample_at(&deep, 7, 4), 0, 0);
	assert_stitched(stitch, sample_at(&deep, 7, 6), 2,
			FIRST_CALL + 1); /* the CPU has lost calls 0 and 1 */
	assert_stitched(stitch, sample_at(&deep, 7, 9), 5, FIRST_CALL + 4);
	assert_stitched(stitch, sample_at(&deep, 7, 9), 5, FIRST_CALL + 4);
	lbr_stitch_destroy(stitch);
}

static void threads_do_not_share_calls(void **state)
{
	struct lbr_stitch *stitch = lbr_stitch_create(REGISTERS);
	struct deep_sample deep;

	(void)state;
	assert_stitched(stitch, sample_at(&deep, 7, 4), 0, 0);
	assert_stitched(stitch, sample_at(&deep, 8, 6), 0, 0);
	assert_stitched(stitch, sample_at(&deep, 7, 6), 2, FIRST_CALL + 1);
	lbr_stitch_destroy(stitch);
}

static void nothing_follows_what_is_not_the_same_call(void **state)
{
	struct lbr_stitch *stitch = lbr_stitch_create(REGISTERS);
	struct deep_sample deep;

	(void)state;
	assert_stitched(stitch, sample_at(&deep, 7, 4), 0, 0);
	assert_stitched(stitch, sample_at(&deep, 7, 8), 0, 0); /* all entries were overwritten */
	(void)sample_at(&deep, 7, 10);
	deep.branches[3 * (REGISTERS - 1) + 1]++; /* calls another function */
	assert_stitched(stitch, &deep.sample, 0, 0);
	(void)sample_at(&deep, 7, 11);
	deep.sample.branch_hw_index = (deep.sample.branch_hw_index + 1) % REGISTERS; /* another register */
	assert_stitched(stitch, &deep.sample, 0, 0);
	lbr_stitch_destroy(stitch);
}

static void a_sample_without_register_numbers_ends_it(void **state)
{
	struct lbr_stitch *stitch = lbr_stitch_create(REGISTERS);
	struct deep_sample deep;

	(void)state;
	assert_stitched(stitch, sample_at(&deep, 7, 4), 0, 0);
	(void)sample_at(&deep, 7, 4);
	deep.sample.branch_hw_index = UINT64_MAX;
	assert_stitched(stitch, &deep.sample, 0, 0);
	assert_stitched(stitch, sample_at(&deep, 7, 6), 0, 0);
	lbr_stitch_destroy(stitch);
}

static void the_number_of_registers_is_in_the_header(void **state)
{
	/* two caps, max_precise 3 and branches 32: the size of each string precedes it */
	static const char caps[] =
		"\2\0\0\0\14\0\0\0max_precise\0\2\0\0\0003\0\11\0\0\0branches\0\3\0\0\00032\0";
	const struct byte_reader none = byte_reader_over("", 0, false);

	(void)state;
	assert_int_equal(lbr_stitch_registers(byte_reader_over(caps, sizeof(caps) - 1, false), none), 32);
	assert_int_equal(lbr_stitch_registers(byte_reader_over(caps, 20, false), none), 0);
	assert_int_equal(lbr_stitch_registers(none, none), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(calls_that_were_overwritten_follow_from_sample_to_sample),
		cmocka_unit_test(threads_do_not_share_calls),
		cmocka_unit_test(nothing_follows_what_is_not_the_same_call),
		cmocka_unit_test(a_sample_without_register_numbers_ends_it),
		cmocka_unit_test(the_number_of_registers_is_in_the_header),
	};

	return cmocka_run_group_tests_name("format/lbr_stitch", tests, NULL, NULL);
}
