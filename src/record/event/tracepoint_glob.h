#ifndef XPROF_RECORD_TRACEPOINT_GLOB_H
#define XPROF_RECORD_TRACEPOINT_GLOB_H

/* Tracepoints by a pattern of the shell's kind, SYSTEM:NAME with *, ? and [...] in either part. */

#include <stddef.h>

#include "base/error.h"

struct tracepoint_names {
	char **items; /* "sched:sched_switch"; on the heap, in the order of the alphabet */
	size_t count, capacity;
};

/* How much of an event's text is a pattern of tracepoints, up to its terms or modifiers; 0: it is none. */
size_t tracepoint_glob_length(const char *text);

/* Those that can be recorded and match. -1 with err where none does, or `tracefs` cannot be read. */
int tracepoint_glob_find(struct tracepoint_names *names, const char *tracefs, const char *pattern,
			 struct error *err);
void tracepoint_names_fini(struct tracepoint_names *names);

#endif
