#ifndef XPROF_UNWIND_BARE_STEP_H
#define XPROF_UNWIND_BARE_STEP_H

/*
 * Finds the caller of code without unwind information, from registers and stack words alone. Each step checks
 * that it leads behind a call, and that frames lie on the stack in order.
 *
 * The functions that take a step return true if `step` has moved to the caller; otherwise false, with `step`
 * unchanged.
 */

#include "unwind/mapping_cache.h"
#include "unwind/unwind_step.h"

/*
 * By the frame pointer: [fp] is the caller's fp, [fp + 8] the return address, on x86-64 and aarch64. The code may not have
 * a frame pointer of its own; then its immediate caller is skipped.
 */
bool bare_step_by_frame_pointer(struct unwind_step *step, struct mapping_cache *mappings);

/*
 * Does the frame pointer seem to point to a frame above the copied stack bytes? It may be another value that looks like it,
 * since the code may not have a frame pointer.
 */
bool bare_step_is_cut_off(const struct unwind_step *step);

/*
 * By the link register, on machines that have one, for a leaf without a frame: it must point behind a call of this
 * function, which begins shortly before the pc. Not if the register may be stale because it may point into this
 * function itself.
 */
bool bare_step_by_link_register(struct unwind_step *step, struct mapping_cache *mappings);

/*
 * By a guess: takes the next stack word that points behind a call in a file, which may be a stale word of an
 * earlier call.
 */
bool bare_step_by_guess(struct unwind_step *step, struct mapping_cache *mappings);

/*
 * May a frame return to `address`: is it behind a call, a signal trampoline (from a handler), or an entry at
 * which HotSpot's interpreter continues?
 */
bool bare_step_may_lead_to(const struct unwind_step *step, struct mapping_cache *mappings, uint64_t address);

/*
 * Does the call in front of `return_address` (code_proof_callee()) go to code that begins at `pc` or shortly
 * before it?
 */
bool bare_step_is_call_of(const struct unwind_step *step, struct mapping_cache *mappings,
			  uint64_t return_address, uint64_t pc);

/*
 * Out of code compiled by GHC, which does not change the C stack pointer: the caller is behind the direct call of StgRun,
 * which jumped to that code.
 */
bool bare_step_out_of_haskell(struct unwind_step *step, struct mapping_cache *mappings);

/*
 * Does the step lead to an entry at which HotSpot's interpreter continues, with the stack pointer that the interpreter's
 * frame recorded at the call? Allows for an adapter in between, which aligns the stack pointer for compiled code and puts
 * arguments below it.
 */
bool bare_step_resumes_interpreter(const struct unwind_step *step, struct mapping_cache *mappings);

#endif
