#ifndef XPROF_RECORD_EVENT_FALLBACK_H
#define XPROF_RECORD_EVENT_FALLBACK_H

/*
 * Simplifies an event that the kernel refuses: drops features that an older kernel does not know, lowers the
 * precision, restricts it to user space, or replaces it by a clock if there are no hardware counters. A
 * notice tells the user whenever this changes the meaning of the samples.
 */

#include <linux/perf_event.h>
#include <stdbool.h>

#include "base/strbuf.h"

struct asked_event {
	struct perf_event_attr attr;
	char *name;       /* its name in messages and in the file; malloc()ed */
	bool precise_max; /* attr.precise_ip is the maximum wanted; less is fine */
};

struct fallback_options {
	bool idle; /* a clock that replaces the event samples the idle task, too */
	/*
	 * Returns kernel.perf_event_paranoid; 2 and above forbid sampling the kernel. Called only if it may explain the
	 * refusal.
	 */
	int (*paranoid_level)(void);
};

/*
 * Simplifies the event by one step, chosen by `open_errno` of perf_event_open(); the caller then tries again.
 * Adds a line to `notices` if the samples change. Returns false if nothing is left to try.
 */
bool event_fallback(struct asked_event *event, int open_errno, const struct fallback_options *options,
		    struct strbuf *notices);

#endif
