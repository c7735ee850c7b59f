#ifndef XPROF_UNWIND_UNWINDER_H
#define XPROF_UNWIND_UNWINDER_H

/*
 * Registers, stack bytes and modules in; return addresses and the reason why
 * they ended out. Knows nothing of perf, symbols or files.
 *
 * An unwinder belongs to one thread: it remembers rules, so that a step it has
 * taken before costs a look-up and two loads. Modules may be shared by all.
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

/* Always gives at least the sampled pc, unless capacity is 0 or `end` is UNWIND_END_NO_REGISTERS. */
void unwinder_walk(struct unwinder *unwinder, const struct unwind_input *input, struct unwind_stack *stack);

/* Facts about a frame from the row of its address. */
enum unwind_row {
	UNWIND_ROW_OTHER,         /* nothing, or anything else */
	UNWIND_ROW_FRAME_POINTER, /* fp points to the caller's fp, and behind that the return address lies */
	UNWIND_ROW_ROOT,          /* there is no caller */
};
enum unwind_row unwinder_row(struct unwinder *unwinder, const struct unwind_input *input,
			     const struct unwind_frame *frame);

/* Counted over all walks so far; valid as long as the unwinder. */
const struct unwinder_counts *unwinder_counts(const struct unwinder *unwinder);

#endif
