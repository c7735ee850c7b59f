#include "format/branch_history.h"

#include <linux/perf_event.h>
#include <stdlib.h>

#include "support/cmocka.h"

enum { CYCLES_BIT = 4 };

/* A branch stack from the addresses that its branches come from, the latest first. Branch n took n + 1 cycles. */
static struct branch_history history_from(const uint64_t *from, size_t count, size_t most)
{
	uint64_t *words = calloc(3 * count + 1, sizeof(*words));
	struct sample sample = { .branches = (const uint8_t *)words, .branch_count = count };
	struct branch_history history;

	for (size_t i = 0; i < count; i++) {
		words[3 * i] = from[i];
		words[3 * i + 1] = 0x900000 + i;
		words[3 * i + 2] = (i + 1) << CYCLES_BIT;
	}
	branch_history_of(&history, &sample, most);
	free(words);
	return history;
}

static void assert_from(const struct branch_history *history, const uint64_t *from, size_t count)
{
	assert_int_equal(history->count, count);
	for (size_t i = 0; i < count; i++)
		assert_int_equal(history->steps[i].branch.from, from[i]);
}

static void branches_without_a_loop_stay_as_they_are(void **state)
{
	const uint64_t from[] = { 0x10, 0x20, 0x30, 0x40 };
	const struct branch_history history = history_from(from, 4, 100);

	(void)state;
	assert_from(&history, from, 4);
	assert_int_equal(history.steps[3].branch.to, 0x900003);
	for (size_t i = 0; i < 4; i++)
		assert_int_equal(history.steps[i].iterations, 0);
}

/* 0x10 0x20 | 0x10 0x20 | 0x30: one iteration is left, and the branch before the loop has the removed one's 3 + 4 cycles. */
static void turns_of_a_loop_are_one(void **state)
{
	const uint64_t from[] = { 0x10, 0x20, 0x10, 0x20, 0x30 }, left[] = { 0x10, 0x20, 0x30 };
	const struct branch_history history = history_from(from, 5, 100);

	(void)state;
	assert_from(&history, left, 3);
	assert_int_equal(history.steps[1].iterations, 0);
	assert_int_equal(history.steps[2].iterations, 1);
	assert_int_equal(history.steps[2].iteration_cycles, 7);
}

static void a_turn_that_goes_another_way_is_none(void **state)
{
	const uint64_t from[] = { 0x10, 0x20, 0x10, 0x21, 0x30 };
	const struct branch_history history = history_from(from, 5, 100);

	(void)state;
	assert_from(&history, from, 5);
}

static void the_beginning_of_a_turn_at_the_end_is_left_out_uncounted(void **state)
{
	const uint64_t from[] = { 0x10, 0x20, 0x30, 0x10, 0x20 };
	const struct branch_history history = history_from(from, 5, 100);

	(void)state;
	assert_from(&history, from, 3);
	for (size_t i = 0; i < 3; i++)
		assert_int_equal(history.steps[i].iterations, 0);
}

static void only_the_latest_are_taken(void **state)
{
	const uint64_t from[] = { 0x10, 0x20, 0x30, 0x40 };
	const struct branch_history history = history_from(from, 4, 2);

	(void)state;
	assert_from(&history, from, 2);
}

static void a_sample_with_more_branches_than_any_cpu_has_none(void **state)
{
	uint64_t from[BRANCH_HISTORY_MAX + 1];
	struct branch_history history;

	(void)state;
	for (size_t i = 0; i <= BRANCH_HISTORY_MAX; i++)
		from[i] = 0x1000 + 16 * i;
	history = history_from(from, BRANCH_HISTORY_MAX, SIZE_MAX);
	assert_int_equal(history.count, BRANCH_HISTORY_MAX);
	history = history_from(from, BRANCH_HISTORY_MAX + 1, SIZE_MAX);
	assert_int_equal(history.count, 0);
}

/* One entry of the chain for each branch: the marker, the leaf 0x1004 after 0x1000, the caller 0x2008 after 0x2000. */
static void calls_of_the_chain_are_covered_by_branches(void **state)
{
	const uint64_t chain[] = { (uint64_t)PERF_CONTEXT_USER, 0x1004, 0x2008, 0x3009 };
	const uint64_t branches[] = { 0x1000, 0, 0, 0x1000, 1, 0, 0x2000, 2, 0, 0x3000, 3, 0 };
	struct sample sample = { .callchain = (const uint8_t *)chain,
				 .callchain_count = 4,
				 .branches = (const uint8_t *)branches,
				 .branch_count = 4 };
	struct branch_history history;

	(void)state;
	branch_history_of(&history, &sample, 100);
	assert_int_equal(history.covered, 2); /* 0x3009 is 9 bytes after 0x3000 */
	sample.branch_count = 1;
	branch_history_of(&history, &sample, 100);
	assert_int_equal(history.covered, 0);
	sample.callchain_count = 0;
	branch_history_of(&history, &sample, 100);
	assert_int_equal(history.covered, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(branches_without_a_loop_stay_as_they_are),
		cmocka_unit_test(turns_of_a_loop_are_one),
		cmocka_unit_test(a_turn_that_goes_another_way_is_none),
		cmocka_unit_test(the_beginning_of_a_turn_at_the_end_is_left_out_uncounted),
		cmocka_unit_test(only_the_latest_are_taken),
		cmocka_unit_test(a_sample_with_more_branches_than_any_cpu_has_none),
		cmocka_unit_test(calls_of_the_chain_are_covered_by_branches),
	};

	return cmocka_run_group_tests_name("format/branch_history", tests, NULL, NULL);
}
