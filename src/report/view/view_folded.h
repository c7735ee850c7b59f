#ifndef XPROF_REPORT_VIEW_VIEW_FOLDED_H
#define XPROF_REPORT_VIEW_VIEW_FOLDED_H

/*
 * Folded stacks, what flame graph tools read: one line a distinct stack, root
 * first, frames separated by semicolons, a space and the weight at the end:
 *
 *	comm;main;parse;read_line 1250000
 *
 * in byte order of the stacks, in the shape that stackcollapse-perf.pl gives
 * them: blanks in the command name are underscores, frames without a function
 * are "[libfoo.so]" or "[unknown]", a semicolon in a name is a colon.
 */

#include "report/view/view.h"

/* The outermost word of a line: the command's name, or that with numbers behind it. */
enum folded_start {
	FOLDED_BY_COMM,
	FOLDED_BY_PROCESS, /* comm-PID */
	FOLDED_BY_THREAD,  /* comm-PID/TID, as stackcollapse-perf.pl --tid writes it */
	FOLDED_BY_CPU,     /* "CPU 3", and then the command's name; "CPU unknown" */
};

struct folded_options {
	enum stack_weight weight;
	enum folded_start start;
	bool annotate;  /* _[k] behind kernel frames, _[j] behind JIT code, _[i] behind inlined functions */
	bool addresses; /* "[libfoo.so <1f40>]" keeps unknown frames apart */
};

#endif
