#ifndef XPROF_RECORD_TRACEPOINT_GLOB_H
#define XPROF_RECORD_TRACEPOINT_GLOB_H

/* Finds tracepoints by a shell pattern: SYSTEM:NAME with *, ? and [...] in either part. */

#include <stddef.h>

#include "base/error.h"

struct tracepoint_names {
	char **items; /* "sched:sched_switch"; malloc()ed, sorted */
	size_t count, capacity;
};

/*
 * The length of the pattern at the beginning of an event's text, without terms and modifiers; 0: not a
 * pattern.
 */
size_t tracepoint_glob_length(const char *text);

/*
 * Finds the recordable tracepoints that match. Returns 0, or -1 with err if there is none or `tracefs` cannot
 * be read.
 */
int tracepoint_glob_find(struct tracepoint_names *names, const char *tracefs, const char *pattern,
			 struct error *err);
void tracepoint_names_fini(struct tracepoint_names *names);

#endif
