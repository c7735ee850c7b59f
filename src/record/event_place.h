#ifndef XPROF_RECORD_EVENT_PLACE_H
#define XPROF_RECORD_EVENT_PLACE_H

/* Where an event counts: in a thread, a cgroup or anywhere, on one CPU; and the group that it joins. */

#include <linux/perf_event.h>
#include <stdbool.h>
#include <sys/types.h>

#include "record/machine/perf_calls.h"

struct event_place {
	pid_t pid; /* a thread; of a cgroup, the descriptor of its directory; -1: any thread */
	bool is_cgroup;
	int cpu;
	int group_fd; /* the leader's; -1: none */
};

/*
 * Opens the event there. If the machine has several kinds of cores and the hardware event is not one of the first, it becomes that
 * of the kind that has it. Returns the descriptor, or -1 with errno.
 */
int event_place_open(const struct event_place *place, const struct perf_event_attr *attr,
		     const struct perf_calls *calls);

#endif
