#ifndef XPROF_RECORD_EVENT_CGROUPS_H
#define XPROF_RECORD_EVENT_CGROUPS_H

/*
 * -G: the cgroups that events count in. As in perf the first name is for the first event of the command line, the second for the
 * second, and so on; an empty name leaves its event as it is. A single name is for all events in front of it.
 */

#include <stddef.h>

#include "base/error.h"
#include "record/event/event_spec.h"

/* The lists as they stand on the command line, each behind some -e. */
struct event_cgroups {
	struct event_cgroup_list {
		const char *text;     /* the command line's */
		size_t events_before; /* how many -e there were */
	} * items;
	size_t count, capacity;
	size_t name_count; /* of the lists that were applied; empty ones count, too */
};

void event_cgroups_add(struct event_cgroups *cgroups, const char *text, size_t events_before);
void event_cgroups_fini(struct event_cgroups *cgroups);

/*
 * Sets the cgroups of the lists that have `events_before` -e in front of them on events, which are all up to there. -1 with err
 * where a list has more names than there are events.
 */
int event_cgroups_apply(struct event_cgroups *cgroups, size_t events_before, struct event_specs *specs,
			struct error *err);

#endif
