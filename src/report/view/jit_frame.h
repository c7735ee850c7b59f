#ifndef XPROF_REPORT_VIEW_JIT_FRAME_H
#define XPROF_REPORT_VIEW_JIT_FRAME_H

/* Which frames are code that a JIT compiler made: flame graphs and folded stacks mark them. */

#include "profile/frame_table.h"

/* Is the frame, found in this node of the stack tree, code of a JIT compiler? */
bool frame_is_jit(const struct profile *profile, const struct profile_stack *node, const struct frame *frame);

#endif
