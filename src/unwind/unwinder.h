#ifndef XPROF_UNWIND_UNWINDER_H
#define XPROF_UNWIND_UNWINDER_H

/*
 * Input: registers, stack bytes and modules. Output: return addresses, and the reason why they end. Knows
 * nothing of perf, symbols or files.
 *
 * An unwinder belongs to one thread. It caches rules, so that a known step costs a lookup and two loads.
 * Modules may be shared by all unwinders.
 *
 *     struct unwind_frame frames[1024];
 *     struct unwind_stack stack = { .frames = frames, .capacity = 1024 };
 *
 *     unwinder_walk(unwinder, &input, &stack);      (frames[0] is the leaf, stack.end says why it ended)
 */

#include "unwind/unwind_stack.h"
#include "unwind/unwinder_counts.h"

struct unwinder;

struct unwinder *unwinder_create(void);
void unwinder_destroy(struct unwinder *unwinder);

/* Fills in `stack`: at least the sampled pc, unless capacity is 0 or `end` is UNWIND_END_NO_REGISTERS. */
void unwinder_walk(struct unwinder *unwinder, const struct unwind_input *input, struct unwind_stack *stack);

/* The CFI of a frame's address, roughly. */
enum unwind_row {
	UNWIND_ROW_OTHER,         /* nothing, or anything else */
	UNWIND_ROW_FRAME_POINTER, /* fp points to the caller's fp, followed by the return address */
	UNWIND_ROW_ROOT,          /* there is no caller */
};
enum unwind_row unwinder_row(struct unwinder *unwinder, const struct unwind_input *input,
			     const struct unwind_frame *frame);

/* Counts over all walks so far; valid as long as the unwinder. */
const struct unwinder_counts *unwinder_counts(const struct unwinder *unwinder);

#endif
