#ifndef XPROF_UNWIND_CODE_STEP_H
#define XPROF_UNWIND_CODE_STEP_H

/*
 * Steps from a frame to its caller by the instructions of the frame's code or by the frame pointer, if no unwind
 * information describes the code. A successful step leaves walk->step at the caller and sets *how. Private to the walk.
 */

#include <stdbool.h>
#include <stdint.h>

#include "unwind/unwind_walk.h"

/*
 * By the instructions from the frame's pc to the return, which must lead behind a call. Otherwise returns false, with
 * nothing changed.
 */
bool code_step_by_exit(struct unwind_walk *walk, const struct unwind_step *frame, enum unwind_how *how);

/*
 * Out of a function that switches to another stack, to the caller on that stack: Boost's have no CFI, and the CFI of
 * glibc's longjmp describes a frame at the jmp_buf. Returns false, with nothing changed, if this is not such a function.
 */
bool code_step_by_switch(struct unwind_walk *walk, const struct unwind_step *leaf);

/*
 * By all methods that need no rule, the safest first. Returns UNWIND_STEPPED, or the reason why there is no
 * caller.
 */
enum unwind_end code_step_without_cfi(struct unwind_walk *walk, enum unwind_how *how);

/*
 * By a rule made from instructions, if it leads to a caller, otherwise by the frame pointer. Returns as above.
 */
enum unwind_end code_step_by_rule(struct unwind_walk *walk, const struct unwind_rule *rule,
				  enum unwind_how *how);

/*
 * Has a step by `rule` from `pc` led to a return address, or to the zeros (pc and fp) where a thread's stack
 * begins?
 */
bool code_step_is_caller(struct unwind_walk *walk, const struct unwind_rule *rule, uint64_t pc);

#endif
