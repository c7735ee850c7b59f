#ifndef XPROF_REPORT_VIEW_TRUST_HEADER_H
#define XPROF_REPORT_VIEW_TRUST_HEADER_H

/*
 * How far a recording can be trusted, in lines that begin with "# ": everything that makes its numbers less than the
 * whole truth (trust_remarks.h), worst first, and then what was recorded and where. Plain text; what is fine takes no
 * line.
 */

#include "base/strbuf.h"
#include "report/load/loaded_profile.h"

enum trust_line {
	TRUST_EVENTS = 1 << 0,  /* samples, event count and duration of each event */
	TRUST_MACHINE = 1 << 1, /* host, kernel, CPUs, recorder */
	TRUST_COMMAND = 1 << 2, /* how it was recorded */
	TRUST_RATE = 1 << 3,    /* achieved and asked for; throttling */
	TRUST_LOSS = 1 << 4,    /* lost, damaged and unknown records */
	TRUST_STACKS = 1 << 5,  /* how many are complete, and why the others end */
	TRUST_SYMBOLS = 1 << 6, /* samples without a function, and in which DSO most of them are */
	TRUST_WAITING = 1 << 7, /* that what was recorded mostly waited */
	TRUST_ALL = (1 << 8) - 1,
	TRUST_BRIEF = 1 << 8, /* alone: at most TRUST_BRIEF_LINES of all the above but events */
};

enum { TRUST_BRIEF_LINES = 5 };

/* `lines` is any of enum trust_line. Remedies of missing names need the symbolizer. */
void trust_header_render(struct strbuf *out, const struct loaded_profile *loaded, unsigned int lines);

#endif
