#ifndef XPROF_REPORT_VIEW_TRUST_HEADER_H
#define XPROF_REPORT_VIEW_TRUST_HEADER_H

/*
 * The lines above a report, each beginning with "# ": what is missing from the numbers of the recording
 * (trust_remarks.h), worst first, then what was recorded and where. Plain text. There is no line for things
 * that are fine.
 */

#include "base/strbuf.h"
#include "report/load/loaded_profile.h"

enum trust_line {
	TRUST_EVENTS = 1 << 0,  /* samples, event count and duration of each event */
	TRUST_MACHINE = 1 << 1, /* host, kernel, CPUs, recorder */
	TRUST_COMMAND = 1 << 2, /* how it was recorded */
	TRUST_RATE = 1 << 3,    /* sampling rate, achieved and requested; throttling */
	TRUST_LOSS = 1 << 4,    /* lost, damaged and unknown records */
	TRUST_STACKS = 1 << 5,  /* how many stacks are complete, and why others are not */
	TRUST_SYMBOLS = 1 << 6, /* samples without a function, and in which DSO most of them are */
	TRUST_WAITING = 1 << 7, /* a remark if the recorded threads mostly waited */
	TRUST_ALL = (1 << 8) - 1,
	TRUST_BRIEF = 1 << 8, /* use it alone: at most TRUST_BRIEF_LINES of all the above but events */
};

enum { TRUST_BRIEF_LINES = 5 };

/* `lines` is a set of enum trust_line. Remedies for missing names need loaded->symbolizer. */
void trust_header_render(struct strbuf *out, const struct loaded_profile *loaded, unsigned int lines);

#endif
