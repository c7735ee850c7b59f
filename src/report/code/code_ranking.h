#ifndef XPROF_REPORT_CODE_CODE_RANKING_H
#define XPROF_REPORT_CODE_CODE_RANKING_H

/* Ranks the blocks of an object by cost: cycles; if these were not counted, executed instructions; if unknown, bytes. */

#include "report/code/code_blocks.h"

struct code_ranked {
	const struct code_block *block; /* borrowed from the blocks */
	double percent;                 /* share of the cost of all blocks of the object */
};

/* Returns a malloc()ed array of all blocks, the most expensive first. */
struct code_ranked *code_ranking_make(const struct code_blocks *blocks);

/* Cycles of one execution; negative: not counted. */
double code_block_cycles(const struct code_block *block);

/* As code_block_ipc(), but negative if unknown. */
double code_block_known_ipc(const struct code_block *block);

#endif
