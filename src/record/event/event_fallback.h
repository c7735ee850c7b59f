#ifndef XPROF_RECORD_EVENT_FALLBACK_H
#define XPROF_RECORD_EVENT_FALLBACK_H

/*
 * An event that the kernel refuses is asked for again as something less: without what an older kernel does
 * not know, less precise, of user space only, or as a clock where there are no hardware counters. A notice
 * tells the user whenever this changes the meaning of the samples.
 */

#include <linux/perf_event.h>
#include <stdbool.h>

#include "base/strbuf.h"

struct asked_event {
	struct perf_event_attr attr;
	char *name;       /* what messages and the file call it; on the heap */
	bool precise_max; /* attr.precise_ip is the most that could be, not what must be */
};

struct fallback_options {
	bool idle; /* a clock is to sample the idle task, too */
	/* kernel.perf_event_paranoid: 2 and above forbid to look at the kernel. Asked of a refusal that may be its doing. */
	int (*paranoid_level)(void);
};

/*
 * Changes the event, by one step, to what this machine may accept that has refused it with `open_errno` of
 * perf_event_open(). False when nothing is left to try. A notice is a line in `notices`.
 */
bool event_fallback(struct asked_event *event, int open_errno, const struct fallback_options *options,
		    struct strbuf *notices);

#endif
