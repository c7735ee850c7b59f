#include "report/code/code_ranking.h"

#include <math.h>
#include <stdlib.h>

#include "support/cmocka.h"

/* Bytes, executions, instructions, executions that were counted, cycles of those. */
static struct code_block block_of(uint64_t bytes, uint64_t executions, uint32_t instructions, double counted,
				  double cycles)
{
	return (struct code_block){ .begin = 0x100,
				    .end = 0x100 + bytes,
				    .executions = executions,
				    .instructions = instructions,
				    .counted = counted,
				    .cycles = cycles };
}

static void assert_near(double value, double expected)
{
	assert_true(fabs(value - expected) < 1e-9);
}

static void assert_ranked(const struct code_blocks *blocks, size_t first, double percent, size_t last)
{
	struct code_ranked *ranked = code_ranking_make(blocks);

	assert_ptr_equal(ranked[0].block, &blocks->items[first]);
	assert_near(ranked[0].percent, percent);
	assert_ptr_equal(ranked[blocks->count - 1].block, &blocks->items[last]);
	free(ranked);
}

/* 10 executions of 3 cycles make 30, of which half were counted; 5 of 2 make 10; nothing is known of the other block. */
static void cycles_count_for_all_executions(void **state)
{
	struct code_block items[] = { block_of(4, 99, 9, 0, 0), block_of(4, 5, 1, 5, 10),
				      block_of(4, 10, 2, 5, 15) };
	const struct code_blocks blocks = { items, 3, .has_cycles = true, .has_instructions = true };

	(void)state;
	assert_ranked(&blocks, 2, 75, 0);
	assert_near(code_block_cycles(&items[2]), 3);
	assert_near(code_block_known_ipc(&items[2]), 2.0 / 3);
}

static void without_cycles_instructions_do_and_then_bytes(void **state)
{
	struct code_block items[] = { block_of(8, 10, 1, 0, 0), block_of(2, 10, 3, 0, 0) };
	struct code_blocks blocks = { items, 2, .has_instructions = true };

	(void)state;
	assert_ranked(&blocks, 1, 75, 0);
	blocks.has_instructions = false;
	assert_ranked(&blocks, 0, 80, 1);
}

static void blocks_that_cost_the_same_are_in_order(void **state)
{
	struct code_block items[] = { block_of(4, 1, 1, 0, 0), block_of(4, 1, 1, 0, 0) };
	const struct code_blocks blocks = { items, 2, .has_instructions = true };

	(void)state;
	assert_ranked(&blocks, 0, 50, 1);
}

static void figures_that_are_not_known_are_negative(void **state)
{
	const struct code_block nothing = block_of(4, 7, 0, 0, 0), unread = block_of(4, 7, 0, 7, 14);

	(void)state;
	assert_true(code_block_cycles(&nothing) < 0);
	assert_true(code_block_known_ipc(&nothing) < 0);
	assert_near(code_block_cycles(&unread), 2);
	assert_true(code_block_known_ipc(&unread) < 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(cycles_count_for_all_executions),
		cmocka_unit_test(without_cycles_instructions_do_and_then_bytes),
		cmocka_unit_test(blocks_that_cost_the_same_are_in_order),
		cmocka_unit_test(figures_that_are_not_known_are_negative),
	};

	return cmocka_run_group_tests_name("report/code/code_ranking", tests, NULL, NULL);
}
