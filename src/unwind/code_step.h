#ifndef XPROF_UNWIND_CODE_STEP_H
#define XPROF_UNWIND_CODE_STEP_H

/*
 * Steps from a frame to its caller by the instructions of the frame's code, where no unwind information describes it, or by
 * the frame pointer. A step that is taken leaves walk->step at the caller and says how it was found. Private to the walk.
 */

#include <stdbool.h>
#include <stdint.h>

#include "unwind/unwind_walk.h"

/*
 * To what follows a call, by the instructions from the frame's pc to the return. False, with nothing changed, where they do
 * not lead there.
 */
bool code_step_by_exit(struct unwind_walk *walk, const struct unwind_step *frame, enum unwind_how *how);

/*
 * Out of a function of a file that goes on on another stack, to what follows a call there: nothing describes Boost's, and
 * glibc's CFI of longjmp speaks of a frame at the jmp_buf. False, with nothing changed, where it is no such function.
 */
bool code_step_by_switch(struct unwind_walk *walk, const struct unwind_step *leaf);

/* By all ways that need no rule, the surest first. */
enum unwind_end code_step_without_cfi(struct unwind_walk *walk, enum unwind_how *how);

/* By a rule that was made from instructions, if it leads to a caller. Otherwise the frame pointer is tried. */
enum unwind_end code_step_by_rule(struct unwind_walk *walk, const struct unwind_rule *rule,
				  enum unwind_how *how);

/* Has a step by `rule`, from `pc` on, led to a return address, or to what a thread begins with? */
bool code_step_is_caller(struct unwind_walk *walk, const struct unwind_rule *rule, uint64_t pc);

#endif
