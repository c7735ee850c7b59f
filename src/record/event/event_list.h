#ifndef XPROF_RECORD_EVENT_LIST_H
#define XPROF_RECORD_EVENT_LIST_H

/*
 * Lists the events of this machine in the syntax of -e: events are tried by opening them, or found in sysfs
 * and tracefs.
 */

#include <stdbool.h>
#include <stdint.h>

#include "base/strbuf.h"
#include "record/event/event_spec.h"

enum event_kind { /* in the order of event_kind_names */
		  EVENT_KIND_HARDWARE,
		  EVENT_KIND_SOFTWARE,
		  EVENT_KIND_CACHE,
		  EVENT_KIND_PMU,
		  EVENT_KIND_TRACEPOINT,
		  EVENT_KIND_COUNT,
};

struct event_list {
	struct event_sources sources;
	bool (*is_there)(uint32_t type, uint64_t config); /* can the event be opened? */
	const char *pattern;                              /* names match it (fnmatch(3)); NULL: all */
	bool fields;                                      /* list the fields of each tracepoint, too */
	struct strbuf *out;                               /* lines are appended */
};

/* Can the event be opened, at least in user space? For is_there. */
bool event_list_can_open(uint32_t type, uint64_t config);

/* Appends a line for each event of the kind, as perf list does. Returns the number of events. */
size_t event_list_add(const struct event_list *list, enum event_kind kind);

#endif
