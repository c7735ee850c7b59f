#ifndef XPROF_TEST_TRUTH_VERDICT_H
#define XPROF_TEST_TRUTH_VERDICT_H

/* Compares an unwound stack with the true one. */

#include "truth/shadow_stack.h"
#include "unwind/unwinder.h"

enum { VERDICT_ENDS = UNWIND_END_NO_REGISTERS + 1 };

/* The true callers at one instruction. */
struct truth {
	const struct shadow_frame *callers; /* innermost first, without the pc itself */
	size_t count;
	size_t readable; /* how many of these have their return addresses in the memory given to the unwinder */
	bool complete;   /* there are no further callers */
};

/* Sums over any number of stacks. */
struct verdict {
	uint64_t stacks;
	uint64_t frames; /* unwound callers for which the truth is known */
	uint64_t right;
	/* Frames that are not the caller of the one before, or that skip callers, or false roots. */
	uint64_t wrong;
	uint64_t marked;  /* wrong, but the frame or one below it is marked as guessed or unproved */
	uint64_t missing; /* true callers that were not found, between others or at the end */
	uint64_t true_frames;
	uint64_t ends[VERDICT_ENDS];
};

/*
 * Adds one stack. `truncated`: missing callers do not count, as the stack was cut. Returns -1 if nothing was wrong or missing,
 * else the number of the unwound frame (0 is the pc) whose step is the first to differ.
 */
int verdict_add(struct verdict *verdict, const struct truth *truth, const struct unwind_stack *stack,
		bool truncated);

void verdict_sum(struct verdict *to, const struct verdict *from);

#endif
