#ifndef XPROF_TEST_TRUTH_SAMPLING_H
#define XPROF_TEST_TRUTH_SAMPLING_H

/* At which instructions of a run the stack is unwound, and what is done with one there: whatever runs the program. */

#include "truth/follow.h"
#include "truth/process_image.h"

enum {
	SAMPLING_MAX_FRAMES = 4096,
	SAMPLING_MAX_STACK_BYTES = 4 << 20,
	SAMPLING_SEEN_BITS = 16,  /* of a pc's hash */
	SAMPLING_ENTRY_STEPS = 3, /* behind a call */
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
	/* Its own: */
	struct unwind_frame frames[SAMPLING_MAX_FRAMES];
	uint8_t seen[1 << SAMPLING_SEEN_BITS];
};

/* All zeros before. The image is to be given when there is one. */
void sampling_init(struct sampling *sampling, const struct follow_options *options,
		   struct follow_result *result, struct unwinder *unwinder);
void sampling_fini(struct sampling *sampling);

/* The same numbers for the same seed. */
uint64_t sampling_random(struct sampling *sampling);

/* Each pc that has not been looked at before, and some of the others. */
bool sampling_is_due(struct sampling *sampling, uint64_t pc);

/* The callers at this instruction. False when there are more than fit. */
bool sampling_find_truth(struct sampling *sampling, const struct shadow_stack *shadow, struct truth *truth);

/* Fills in the bytes from `sp` up to the end of the stack, and how mappings are found. */
void sampling_fill_input(struct sampling *sampling, struct unwind_input *input, uint64_t sp,
			 struct shadow_bounds bounds);

/* Unwinds the stack where the next instruction is of that kind, at times also less and less of it. */
void sampling_compare(struct sampling *sampling, const struct unwind_input *input, const struct truth *truth,
		      enum instruction_kind kind);

#endif
