#ifndef XPROF_REPORT_LOAD_UNWIND_CHOICE_H
#define XPROF_REPORT_LOAD_UNWIND_CHOICE_H

/* How stacks are found: the struct that the command line fills and the unwinder reads. */

#include <stdbool.h>

enum unwind_choice {
	UNWIND_AUTO,  /* the dump, unless the recorded chain of frame pointers reaches further */
	UNWIND_FP,    /* the recorded chain; if there is none, frame pointers in the dump */
	UNWIND_DWARF, /* the dump if there is one */
};

/* The unwinder: xprof's own or, for comparison and much slower, libunwind. */
enum unwind_engine { ENGINE_XPROF, ENGINE_LIBUNWIND };

/* Zeroed: UNWIND_AUTO by xprof's own engine, all callers, nothing joined or guessed. */
struct unwind_options {
	/* Number of callers; 0: all. A call chain loses its innermost callers, as in perf, an unwound stack its outermost. */
	unsigned int max_stack;
	enum unwind_choice unwind;
	enum unwind_engine unwinder;
	bool join_stacks; /* continue stacks deeper than their dump with other stacks of the thread */
	bool stitch_lbr;  /* take over calls that the CPU has forgotten from the thread's previous sample */
	bool branch_history; /* show a sample's branches as its innermost callers: format/branch_history.h */
	bool guess;          /* guess callers if nothing else finds them */
	bool wakers;         /* put the waker's stack on top of the sleeper's: report/waits/waker_stack.h */
};

#endif
