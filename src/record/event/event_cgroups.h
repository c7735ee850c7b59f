#ifndef XPROF_RECORD_EVENT_CGROUPS_H
#define XPROF_RECORD_EVENT_CGROUPS_H

/*
 * -G: the cgroups in which events count. As in perf, the first name applies to the first event of the command line, the second
 * to the second, and so on; an empty name sets no cgroup. A single name applies to all events before it.
 */

#include <stddef.h>

#include "base/error.h"
#include "record/event/event_spec.h"

/* The lists in the order of the command line. */
struct event_cgroups {
	struct event_cgroup_list {
		const char *text;     /* borrowed from the command line */
		size_t events_before; /* number of -e before it */
	} * items;
	size_t count, capacity;
	size_t name_count; /* names in the lists applied so far, empty ones included */
};

void event_cgroups_add(struct event_cgroups *cgroups, const char *text, size_t events_before);
void event_cgroups_fini(struct event_cgroups *cgroups);

/*
 * Applies the lists with this `events_before`. `specs` has the events of all -e before them. Returns 0, or -1
 * with err if there are more names than events.
 */
int event_cgroups_apply(struct event_cgroups *cgroups, size_t events_before, struct event_specs *specs,
			struct error *err);

#endif
