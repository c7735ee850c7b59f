#ifndef XPROF_UNWIND_BARE_STEP_H
#define XPROF_UNWIND_BARE_STEP_H

/*
 * Steps out of code without unwind information, from registers and stack words alone. Each step checks that
 * it leads to code behind a call, and that frames lie on the stack in order.
 *
 * Each function returns true and has moved to the caller, or has changed nothing.
 */

#include "unwind/mapping_cache.h"
#include "unwind/unwind_step.h"

/*
 * [fp] is the caller's fp, [fp + 8] the return address, on x86-64 and aarch64 alike. Whether the code keeps a frame pointer
 * is not known: an immediate caller may be left out.
 */
bool bare_step_by_frame_pointer(struct unwind_step *step, struct mapping_cache *mappings);

/*
 * Does the frame pointer look as if it led to a frame, behind the last of the stack's bytes? The code may keep none, and have
 * something else there that looks like it.
 */
bool bare_step_is_cut_off(const struct unwind_step *step);

/*
 * A leaf without a frame, on machines with a link register: what that holds is behind a call of this very function,
 * which begins a little before. Not where the register may be stale: where it leads to what may be this function.
 */
bool bare_step_by_link_register(struct unwind_step *step, struct mapping_cache *mappings);

/* The next word of the stack that follows a call in a file: the caller, or a stale word of an earlier call. */
bool bare_step_by_guess(struct unwind_step *step, struct mapping_cache *mappings);

/*
 * Where such a frame may lead: behind a call, or, a handler's, to a signal trampoline, or to where HotSpot's
 * interpreter goes on.
 */
bool bare_step_may_lead_to(const struct unwind_step *step, struct mapping_cache *mappings, uint64_t address);

/*
 * Does the call in front of the return address (code_proof_callee()) go to code that begins at the pc, or a little
 * before it?
 */
bool bare_step_is_call_of(const struct unwind_step *step, struct mapping_cache *mappings,
			  uint64_t return_address, uint64_t pc);

/* Out of what GHC compiled, which leaves the stack pointer to C, behind the direct call of the StgRun that jumped there. */
bool bare_step_out_of_haskell(struct unwind_step *step, struct mapping_cache *mappings);

/*
 * Does the step lead to where HotSpot's interpreter goes on, and to the stack pointer that the interpreter's frame says it
 * had when it called? An adapter in between aligns that for compiled code, and puts arguments below it.
 */
bool bare_step_resumes_interpreter(const struct unwind_step *step, struct mapping_cache *mappings);

#endif
