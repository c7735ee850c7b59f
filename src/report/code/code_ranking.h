#ifndef XPROF_REPORT_CODE_CODE_RANKING_H
#define XPROF_REPORT_CODE_CODE_RANKING_H

/* The blocks of an object by what they cost: cycles, or else instructions that ran, or else bytes. */

#include "report/code/code_blocks.h"

struct code_ranked {
	const struct code_block *block; /* borrowed from the blocks */
	double percent;                 /* of what all blocks of the object cost */
};

/* Heap array with all blocks, the most expensive first. */
struct code_ranked *code_ranking_make(const struct code_blocks *blocks);

/* Of one execution; negative: cycles were not counted. */
double code_block_cycles(const struct code_block *block);

/* As code_block_ipc(), but negative where it is not known. */
double code_block_known_ipc(const struct code_block *block);

#endif
