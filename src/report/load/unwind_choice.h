#ifndef XPROF_REPORT_LOAD_UNWIND_CHOICE_H
#define XPROF_REPORT_LOAD_UNWIND_CHOICE_H

/* How stacks are found: one struct from the command line down to the unwinder. */

#include <stdbool.h>

enum unwind_choice {
	UNWIND_AUTO, /* the dump, except where the recorded chain of frame pointers goes on where that ends */
	UNWIND_FP,   /* the recorded chain of frame pointers; over the dump where there is none */
	UNWIND_DWARF, /* the dump wherever there is one */
};

/* The unwinder to use: xprof's own, or, as a second opinion and much slower, a library. */
enum unwind_engine { ENGINE_XPROF, ENGINE_LIBUNWIND };

/* Zeroed: UNWIND_AUTO by xprof's own engine, all callers, nothing joined or guessed. */
struct unwind_options {
	unsigned int
		max_stack; /* callers; 0: all. A call chain is cut at the leaf, as perf does, an unwound stack at the root */
	enum unwind_choice unwind;
	enum unwind_engine unwinder;
	bool join_stacks; /* stacks that their dump was too short for are continued by others of their thread */
	bool stitch_lbr; /* calls that the CPU no longer has are taken over from the thread's sample before */
	bool branch_history; /* the branches of a sample are its innermost callers: format/branch_history.h */
	bool guess;          /* where nothing else leads on, callers are guessed */
	bool wakers; /* samples of time off the CPU have the stack of their waker on top: report/waits/waker_stack.h */
};

#endif
