#ifndef XPROF_TEST_TRUTH_SAMPLING_H
#define XPROF_TEST_TRUTH_SAMPLING_H

/*
 * Chooses the instructions of a run at which the stack is unwound, unwinds and compares it. The same for all ways to run a
 * program.
 */

#include "truth/follow.h"
#include "truth/process_image.h"

enum {
	SAMPLING_MAX_FRAMES = 4096,
	SAMPLING_MAX_STACK_BYTES = 4 << 20,
	SAMPLING_SEEN_BITS = 16,  /* bits of a pc's hash */
	SAMPLING_ENTRY_STEPS = 3, /* instructions behind a call that count as a function's entry */
};

struct sampling {
	const struct follow_options *options;
	struct follow_result *result;
	struct unwinder *unwinder;
	struct process_image *image;
	uint64_t random;
	uint64_t steps, since_call; /* counted by the caller */
	struct shadow_frame callers[SAMPLING_MAX_FRAMES];
	uint8_t *stack; /* room for SAMPLING_MAX_STACK_BYTES */
	/* Private: */
	struct unwind_frame frames[SAMPLING_MAX_FRAMES];
	uint8_t seen[1 << SAMPLING_SEEN_BITS];
};

/* `sampling` must be zeroed. The caller sets `image` once there is one. */
void sampling_init(struct sampling *sampling, const struct follow_options *options,
		   struct follow_result *result, struct unwinder *unwinder);
void sampling_fini(struct sampling *sampling);

/* The same seed gives the same numbers. */
uint64_t sampling_random(struct sampling *sampling);

/* Is the stack to be unwound at this pc? It is at each new pc, and at some of the others. */
bool sampling_is_due(struct sampling *sampling, uint64_t pc);

/* Finds the callers at this instruction. Returns false if there are more than fit. */
bool sampling_find_truth(struct sampling *sampling, const struct shadow_stack *shadow, struct truth *truth);

/* Sets the stack's bytes from `sp` to the end of the stack, and how to find mappings. */
void sampling_fill_input(struct sampling *sampling, struct unwind_input *input, uint64_t sp,
			 struct shadow_bounds bounds);

/* Unwinds the stack and compares it; at times also with less and less of its bytes. `kind`: of the next instruction. */
void sampling_compare(struct sampling *sampling, const struct unwind_input *input, const struct truth *truth,
		      enum instruction_kind kind);

#endif
