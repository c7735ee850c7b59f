#ifndef XPROF_RECORD_EVENT_REFUSAL_H
#define XPROF_RECORD_EVENT_REFUSAL_H

/* An event that the kernel refuses whatever is left out of it: why, and what the user can do about it, in one line. */

#include <linux/perf_event.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/error.h"

struct event_refusal {
	const struct perf_event_attr *attr; /* as it was asked for last */
	const char *name;
	const char *leader; /* of its group; NULL: it leads one, or is in none */
	const char *cgroup; /* -G; NULL: any */
	pid_t pid;          /* where it was to count; -1: in any process */
	int cpu;
	uint64_t refused_branches; /* kinds of branches that did not open alone: branch_probe_refused_kinds() */
	size_t open_count;         /* of the recording, up to then */
};

/* `open_errno` is that of perf_event_open(). Returns -1. */
int event_refusal_explain(const struct event_refusal *refusal, int open_errno, struct error *err);

#endif
