#ifndef XPROF_UNWIND_CODE_PROOF_H
#define XPROF_UNWIND_CODE_PROOF_H

/*
 * A rule made from the instructions up to a return (code_exit.h) takes a call on the way to leave the stack pointer where it
 * was, which most functions do, but not all (V8's take their arguments off the stack). Here what is called is looked at, in
 * all that is mapped, so that this need not be taken for granted. Of one unwinder.
 */

#include "unwind/mapping_cache.h"
#include "unwind/unwind_step.h"

enum { CODE_PROOF_PLACES = 1 << 12 };

/* All zeros: nothing is known. */
struct code_proof {
	uint64_t places[CODE_PROOF_PLACES]; /* what was found out last of those that share a place; 0: nothing */
};

/* Do all calls on the way from the instruction at `pc` to the return leave the stack pointer where it was? */
bool code_proof_calls_keep_stack(struct code_proof *proof, const struct unwind_input *input,
				 struct mapping_cache *mappings, uint64_t pc);

/*
 * Where the call in front of the return address goes, if that is what the code says: directly, or by a constant in a
 * register. 0: it does not.
 */
uint64_t code_proof_callee(const struct unwind_input *input, struct mapping_cache *mappings,
			   uint64_t return_address);

/* Does such a call in front of the return address go to the function that `pc` is in? */
bool code_proof_is_caller(struct code_proof *proof, const struct unwind_input *input,
			  struct mapping_cache *mappings, uint64_t return_address, uint64_t pc);

#endif
