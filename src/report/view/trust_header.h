#ifndef XPROF_REPORT_VIEW_TRUST_HEADER_H
#define XPROF_REPORT_VIEW_TRUST_HEADER_H

/*
 * How far a recording can be trusted, in a few lines that begin with "# ": what
 * was recorded and where, and everything that makes its numbers less than the
 * whole truth (lost and throttled samples, stacks that broke off, functions
 * without names), each with what would mend it. Plain text; what is fine takes
 * no line of its own.
 */

#include "base/strbuf.h"
#include "format/perf_file.h"
#include "report/load/profile_loader.h"

enum trust_line {
	TRUST_EVENTS = 1 << 0,  /* samples, event count and duration of each event */
	TRUST_MACHINE = 1 << 1, /* host, kernel, CPUs, recorder */
	TRUST_COMMAND = 1 << 2, /* how it was recorded */
	TRUST_RATE = 1 << 3,    /* achieved and asked for; throttling */
	TRUST_LOSS = 1 << 4,    /* lost, damaged and unknown records */
	TRUST_STACKS = 1 << 5,  /* how many are complete, and why the others end */
	TRUST_SYMBOLS = 1 << 6, /* samples without a function, and in which DSO most of them are */
	TRUST_ALL = (1 << 7) - 1,
};

/* After loading; `lines` is any of enum trust_line. */
void trust_header_render(struct strbuf *out, const struct perf_file *file,
			 const struct loaded_profile *loaded, unsigned int lines);

#endif
