#ifndef XPROF_UNWIND_CODE_PROOF_H
#define XPROF_UNWIND_CODE_PROOF_H

/*
 * A rule made from the instructions up to a return (code_exit.h) assumes that calls on the way leave the stack pointer
 * unchanged. Most functions do, but not all (V8's remove their arguments from the stack). This file proves it by reading the
 * code of the callees in all mapped files. Belongs to one unwinder.
 */

#include "unwind/mapping_cache.h"
#include "unwind/unwind_step.h"

enum { CODE_PROOF_PLACES = 1 << 12 };

/* All zeros: empty. */
struct code_proof {
	uint64_t places[CODE_PROOF_PLACES]; /* a hash table of results without chains: each entry has the last
					       result stored in it; 0: empty */
};

/* Do all calls between the instruction at `pc` and the return leave the stack pointer unchanged? */
bool code_proof_calls_keep_stack(struct code_proof *proof, const struct unwind_input *input,
				 struct mapping_cache *mappings, uint64_t pc);

/*
 * The target of the call in front of `return_address`, if the code has it: a direct call, or one through a register
 * with a constant. 0 if it is unknown.
 */
uint64_t code_proof_callee(const struct unwind_input *input, struct mapping_cache *mappings,
			   uint64_t return_address);

/* Does a call in front of `return_address` go to the function that contains `pc`? */
bool code_proof_is_caller(struct code_proof *proof, const struct unwind_input *input,
			  struct mapping_cache *mappings, uint64_t return_address, uint64_t pc);

#endif
