#ifndef XPROF_TEST_SUPPORT_OTHER_ENGINE_H
#define XPROF_TEST_SUPPORT_OTHER_ENGINE_H

/* Unwinds this process's own stack with xprof's unwinder and with another engine, from the same input. */

#include "support/own_process.h"

enum { OTHER_ENGINE_FRAMES = 64 };

struct other_engine {
	/* To be set: the other walk and its first argument. */
	void (*walk)(void *engine, const struct unwind_input *input, struct unwind_stack *stack);
	void *engine;
	struct own_process process;
	struct unwinder *unwinder;
	struct unwind_frame ours[OTHER_ENGINE_FRAMES], theirs[OTHER_ENGINE_FRAMES];
};

void other_engine_init(struct other_engine *other);

/* The caller owns the engine itself. */
void other_engine_fini(struct other_engine *other);

/* Asserts that both find the same frames, from the place of the call up to the root. */
void assert_same_stack_here(struct other_engine *other);

/* Asserts how the other one reports a stack of which only two words were dumped. */
void assert_short_dump_is_said(struct other_engine *other);

#endif
