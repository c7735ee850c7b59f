/* weight_of() is the cost of a block; blocks of the same cost are in the order of their addresses. */
#include "report/code/code_ranking.h"

#include <stdlib.h>

#include "base/xalloc.h"

static double weight_of(const struct code_block *block, const struct code_blocks *blocks)
{
	if (blocks->has_cycles)
		return block->counted > 0 ? block->cycles / block->counted * (double)block->executions : 0;
	return (double)block->executions *
	       (blocks->has_instructions ? block->instructions : (double)(block->end - block->begin));
}

static int compare_ranked(const void *a, const void *b)
{
	const struct code_ranked *left = a, *right = b;

	if (left->percent != right->percent)
		return left->percent > right->percent ? -1 : 1;
	return left->block < right->block ? -1 : left->block > right->block;
}

struct code_ranked *code_ranking_make(const struct code_blocks *blocks)
{
	struct code_ranked *ranked = xmalloc((blocks->count + 1) * sizeof(*ranked));
	double total = 0;

	for (size_t i = 0; i < blocks->count; i++)
		total += weight_of(&blocks->items[i], blocks);
	for (size_t i = 0; i < blocks->count; i++)
		ranked[i] = (struct code_ranked){
			.block = &blocks->items[i],
			.percent = total > 0 ? weight_of(&blocks->items[i], blocks) * 100 / total : 0,
		};
	if (blocks->count)
		qsort(ranked, blocks->count, sizeof(*ranked), compare_ranked);
	return ranked;
}

double code_block_cycles(const struct code_block *block)
{
	return block->counted > 0 ? block->cycles / block->counted : -1;
}

double code_block_known_ipc(const struct code_block *block)
{
	return block->cycles > 0 && block->instructions ? code_block_ipc(block) : -1;
}
