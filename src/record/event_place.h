#ifndef XPROF_RECORD_EVENT_PLACE_H
#define XPROF_RECORD_EVENT_PLACE_H

/*
 * The place where an event counts: a thread, a cgroup or everything, on one CPU; and the group that it joins.
 */

#include <linux/perf_event.h>
#include <stdbool.h>
#include <sys/types.h>

#include "record/machine/perf_calls.h"

struct event_place {
	pid_t pid; /* a thread, or the descriptor of a cgroup's directory; -1: any thread */
	bool is_cgroup;
	int cpu;
	int group_fd; /* the group leader's descriptor; -1: no group */
};

/*
 * Opens the event. If the machine has several kinds of cores and the first kind lacks the hardware event, the
 * others are tried. Returns the descriptor, or -1 with errno.
 */
int event_place_open(const struct event_place *place, const struct perf_event_attr *attr,
		     const struct perf_calls *calls);

#endif
