#ifndef XPROF_REPORT_CODE_CODE_BLOCKS_H
#define XPROF_REPORT_CODE_CODE_BLOCKS_H

/*
 * The basic blocks of an object that branches were recorded in: code that ran as a whole, cut where branches led to and came
 * from. How often each ran in the recorded stretches, how many instructions it has, and how many cycles it took.
 *
 * The CPU counts the cycles between two branches, which may run through several blocks: each has a share by its
 * instructions.
 */

#include "report/code/code_object.h"

struct code_block {
	uint64_t begin, end; /* map space of the DSO; `end` is behind the last instruction */
	uint64_t executions;
	uint32_t instructions; /* 0: the code is not there, or of another machine than x86 */
	double counted;        /* executions whose cycles were counted */
	double cycles;         /* of those */
};

struct code_blocks {
	struct code_block *items; /* by address */
	size_t count;
	bool has_cycles;
	bool has_instructions;
};

void code_blocks_find(struct code_blocks *blocks, const struct code_recording *recording,
		      const struct code_object *object);
void code_blocks_fini(struct code_blocks *blocks);

/* The block that contains the address; NULL: none that ran. */
const struct code_block *code_blocks_at(const struct code_blocks *blocks, uint64_t address);

/* Instructions over cycles; 0: not known. */
double code_block_ipc(const struct code_block *block);

/*
 * A loop: all between the target of a branch back within a function, and the last branch back to there. It is entered by
 * running into its beginning, or by a branch of the same function that comes from outside, into its middle if the compiler
 * has put the condition there. A trip is an execution of the block at which it is entered most.
 */
struct code_loop {
	uint64_t head, back; /* where it begins, and the last branch that leads there */
	uint64_t backs;      /* branches back, where it is known what ran after them */
	uint64_t entries;    /* 0: no recorded stretch shows it entered */
	uint64_t trips;
	double cycles; /* of one trip */
};

/* Heap array of *count, most branches back first. */
struct code_loop *code_loops_find(const struct code_recording *recording, const struct code_object *object,
				  const struct code_blocks *blocks, size_t *count);

/* Is the branch at that address one to an address in a register or in memory? By its code, or else as it was recorded. */
bool code_object_is_indirect(const struct code_object *object, const struct code_count *branch);

/* 0: not known, as of all machines but x86. */
size_t code_object_instruction_length(const struct code_object *object, uint64_t address);

#endif
