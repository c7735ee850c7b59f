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

struct folded_options {
	enum stack_weight weight;
	bool annotate;  /* _[k] behind kernel frames, _[j] behind JIT code, _[i] behind inlined functions */
	bool addresses; /* "[libfoo.so <1f40>]" keeps unknown frames apart */
};

#endif
