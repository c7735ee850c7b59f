#ifndef XPROF_REPORT_CODE_CODE_BLOCKS_H
#define XPROF_REPORT_CODE_CODE_BLOCKS_H

/*
 * The basic blocks of an object with recorded branches: code that ran as a whole, cut where branches led to and came from. For
 * each block: how often it ran in the recorded stretches of code, its instructions, and its cycles.
 *
 * The CPU counts the cycles between two branches. If several blocks ran in between, each gets a share by its number of
 * instructions.
 */

#include "report/code/code_object.h"

struct code_block {
	uint64_t begin, end; /* map space of the DSO; `end` is behind the last instruction */
	uint64_t executions;
	uint32_t instructions; /* 0: the code is missing, or not x86 */
	double counted;        /* number of executions with counted cycles */
	double cycles;         /* sum of their cycles */
};

struct code_blocks {
	struct code_block *items; /* ascending by address */
	size_t count;
	bool has_cycles;
	bool has_instructions;
};

void code_blocks_find(struct code_blocks *blocks, const struct code_recording *recording,
		      const struct code_object *object);
void code_blocks_fini(struct code_blocks *blocks);

/* The block that contains the address; NULL if no block that ran does. */
const struct code_block *code_blocks_at(const struct code_blocks *blocks, uint64_t address);

/* Instructions per cycle; 0: unknown. */
double code_block_ipc(const struct code_block *block);

/*
 * A loop: the code between the target of a backward branch within a function and the last branch back to that target. It is
 * entered by running into its beginning, or by a branch of the same function from outside, into its middle if the compiler has
 * put the condition there. A trip is one execution of the block at which the loop is entered most often.
 */
struct code_loop {
	uint64_t head, back; /* its beginning, and the last branch that leads there */
	uint64_t backs;      /* backward branches for which it is known what ran after them */
	uint64_t entries;    /* times it was entered; 0: no recorded stretch shows that */
	uint64_t trips;
	double cycles; /* cycles of one trip */
};

/* Returns a malloc()ed array of *count loops, those with most backward branches first. */
struct code_loop *code_loops_find(const struct code_recording *recording, const struct code_object *object,
				  const struct code_blocks *blocks, size_t *count);

/* Is the branch one to an address in a register or in memory? Decided by its code or, if that is missing, by its recorded type. */
bool code_object_is_indirect(const struct code_object *object, const struct code_count *branch);

/* The length of the instruction in bytes; 0 if unknown, and on all machines but x86. */
size_t code_object_instruction_length(const struct code_object *object, uint64_t address);

#endif
