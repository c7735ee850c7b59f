#ifndef XPROF_RECORD_EVENT_REFUSAL_H
#define XPROF_RECORD_EVENT_REFUSAL_H

/*
 * Explains in one line why the kernel refuses an event for which event_fallback() has no step left, and what
 * the user can do.
 */

#include <linux/perf_event.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/error.h"

struct event_refusal {
	const struct perf_event_attr *attr; /* of the last attempt */
	const char *name;
	const char *leader; /* name of its group leader; NULL: it leads a group or is in none */
	const char *cgroup; /* -G; NULL: any */
	pid_t pid;          /* the process to count in; -1: any */
	int cpu;
	uint64_t refused_branches; /* from branch_probe_refused_kinds() */
	size_t open_count;         /* events of the recording opened so far */
};

/* Sets err for `open_errno` of perf_event_open(). Always returns -1. */
int event_refusal_explain(const struct event_refusal *refusal, int open_errno, struct error *err);

/*
 * Explains why branches cannot be recorded, and what to do instead, from the PMUs in sysfs. `name` is the
 * event's; `refused_kinds` comes from branch_probe_refused_kinds(); `directory` is pmu_directory of
 * event_spec.h. Always returns -1.
 */
int branch_refusal_explain(const struct perf_event_attr *attr, const char *name, uint64_t refused_kinds,
			   const char *directory, struct error *err);

#endif
