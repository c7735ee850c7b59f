#include "report/diff/chain_alignment.h"

#include "support/cmocka.h"

#define CHAIN(...) \
	((const uint64_t[]){ __VA_ARGS__ }), sizeof((const uint64_t[]){ __VA_ARGS__ }) / sizeof(uint64_t)

static struct chain_alignment align(const uint64_t *whole, size_t whole_count, const uint64_t *chain,
				    size_t chain_count)
{
	return chain_align(whole, whole_count, chain, chain_count, NULL, NULL);
}

static void assert_break(const struct chain_break *got, enum chain_fault fault, size_t at, size_t count)
{
	assert_int_equal(got->fault, fault);
	assert_int_equal(got->at, at);
	assert_int_equal(got->count, count);
}

static void equal_chains_agree(void **state)
{
	struct chain_alignment alignment = align(CHAIN(1, 2, 3), CHAIN(1, 2, 3));

	(void)state;
	assert_int_equal(alignment.first.fault, CHAIN_AGREES);
	assert_int_equal(alignment.last.fault, CHAIN_AGREES);
	assert_int_equal(alignment.common, 3);
	assert_int_equal(alignment.skips, 0);
}

static void a_leaf_without_a_frame_hides_its_caller(void **state)
{
	struct chain_alignment alignment = align(CHAIN(1, 2, 3, 4), CHAIN(1, 3, 4));

	(void)state;
	assert_break(&alignment.first, CHAIN_SKIPS, 0, 1);
	assert_int_equal(alignment.last.fault, CHAIN_AGREES);
	assert_int_equal(alignment.skips, 1);
	assert_int_equal(alignment.skipped, 1);
	assert_int_equal(alignment.common, 3);
}

static void a_chain_can_end_early(void **state)
{
	struct chain_alignment alignment = align(CHAIN(1, 2, 3, 4), CHAIN(1, 2));

	(void)state;
	assert_break(&alignment.first, CHAIN_ENDS, 1, 2);
	assert_break(&alignment.last, CHAIN_ENDS, 1, 2);
}

static void the_first_fault_is_where_the_two_part(void **state)
{
	struct chain_alignment alignment = align(CHAIN(1, 2, 3, 4, 5, 6), CHAIN(1, 3, 6, 9, 8));

	(void)state;
	assert_break(&alignment.first, CHAIN_SKIPS, 0, 1);
	assert_int_equal(alignment.skips, 2);
	assert_int_equal(alignment.skipped, 3);
	assert_break(&alignment.last, CHAIN_FARTHER, 5, 2);
	alignment = align(CHAIN(1, 2, 3), CHAIN(1, 9, 3));
	assert_break(&alignment.first, CHAIN_STRAYS, 0, 2);
}

static void an_address_that_comes_again_is_the_next_of_its_kind(void **state)
{
	struct chain_alignment alignment = align(CHAIN(1, 2, 2, 2, 3), CHAIN(1, 2, 2, 3));

	(void)state;
	assert_break(&alignment.first, CHAIN_SKIPS, 2, 1);
	assert_int_equal(alignment.last.fault, CHAIN_AGREES);
}

static void nothing_is_common_to_nothing(void **state)
{
	const uint64_t one = 1;
	struct chain_alignment alignment = chain_align(&one, 0, &one, 0, NULL, NULL);

	(void)state;
	assert_int_equal(alignment.first.fault, CHAIN_AGREES);
	alignment = chain_align(&one, 1, &one, 0, NULL, NULL);
	assert_break(&alignment.last, CHAIN_ENDS, 0, 1);
	alignment = align(CHAIN(1, 2), CHAIN(7, 8));
	assert_break(&alignment.last, CHAIN_STRAYS, 0, 2);
	assert_int_equal(alignment.common, 0);
}

static void note_skip(void *context, const struct chain_break *skip)
{
	size_t *noted = context;

	noted[0]++;
	noted[1] = noted[1] * 100 + skip->at * 10 + skip->count;
}

static void each_skip_is_told(void **state)
{
	size_t noted[2] = { 0 };

	(void)state;
	(void)chain_align(CHAIN(1, 2, 3, 4, 5, 6), CHAIN(1, 3, 6), note_skip, noted);
	assert_int_equal(noted[0], 2);
	assert_int_equal(noted[1], 122);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(equal_chains_agree),
		cmocka_unit_test(a_leaf_without_a_frame_hides_its_caller),
		cmocka_unit_test(a_chain_can_end_early),
		cmocka_unit_test(the_first_fault_is_where_the_two_part),
		cmocka_unit_test(an_address_that_comes_again_is_the_next_of_its_kind),
		cmocka_unit_test(nothing_is_common_to_nothing),
		cmocka_unit_test(each_skip_is_told),
	};

	return cmocka_run_group_tests_name("report/diff/chain_alignment", tests, NULL, NULL);
}
