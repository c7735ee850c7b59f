#ifndef XPROF_TEST_SUPPORT_OTHER_ENGINE_H
#define XPROF_TEST_SUPPORT_OTHER_ENGINE_H

/* This process's own stack, by xprof's unwinder and by another engine with the same input. */

#include "support/own_process.h"

enum { OTHER_ENGINE_FRAMES = 64 };

struct other_engine {
	/* To be given: the other walk, and what it is called with first. */
	void (*walk)(void *engine, const struct unwind_input *input, struct unwind_stack *stack);
	void *engine;
	struct own_process process;
	struct unwinder *unwinder;
	struct unwind_frame ours[OTHER_ENGINE_FRAMES], theirs[OTHER_ENGINE_FRAMES];
};

void other_engine_init(struct other_engine *other);

/* The engine itself is the caller's. */
void other_engine_fini(struct other_engine *other);

/* Here, where it is called: asserts that both find the same frames up to the root. */
void assert_same_stack_here(struct other_engine *other);

/* Asserts what the other says of a stack of which two words were dumped. */
void assert_short_dump_is_said(struct other_engine *other);

#endif
