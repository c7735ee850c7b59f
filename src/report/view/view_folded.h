#ifndef XPROF_REPORT_VIEW_VIEW_FOLDED_H
#define XPROF_REPORT_VIEW_VIEW_FOLDED_H

/*
 * Folded stacks, as flame graph tools read them: one line per distinct stack, root first, frames separated by semicolons, a
 * space and the weight at the end:
 *
 *	comm;main;parse;read_line 1250000
 *
 * in byte order of the stacks, in the format of stackcollapse-perf.pl: blanks in the command name are underscores, frames
 * without a function are "[libfoo.so]" or "[unknown]", a semicolon in a name is a colon.
 */

#include "profile/sample_walk.h"
#include "report/view/view.h"

/* The first word of a line. */
enum folded_start {
	FOLDED_BY_COMM,
	FOLDED_BY_PROCESS, /* comm-PID */
	FOLDED_BY_THREAD,  /* comm-PID/TID, as stackcollapse-perf.pl --tid writes it */
	FOLDED_BY_CPU,     /* "CPU 3" or "CPU unknown", then the command's name */
};

struct folded_options {
	enum stack_weight weight;
	enum folded_start start;
	bool annotate;  /* add _[k] to kernel frames, _[j] to JIT code, _[i] to inlined functions */
	bool addresses; /* "[libfoo.so <1f40>]" keeps unknown frames apart */
	const struct sample_sums *sums; /* as in struct sample_walk */
	/* Called after each line; it may take the text and reset the buffer. NULL: the buffer gets all lines. */
	void (*flow)(void *context);
	void *context;
};

#endif
