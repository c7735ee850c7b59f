#ifndef XPROF_REPORT_LOAD_CGROUP_NAMES_H
#define XPROF_REPORT_LOAD_CGROUP_NAMES_H

/* The names of a recording's cgroups: samples have ids, PERF_RECORD_CGROUP records give the paths. */

#include "base/error.h"
#include "format/event.h"
#include "profile/raw_profile.h"

struct cgroup_names;

struct cgroup_names *cgroup_names_create(void);
void cgroup_names_destroy(struct cgroup_names *names);

/*
 * Notes a PERF_RECORD_CGROUP { u64 id; char path[]; } (linux/perf_event.h). Its path becomes a string of the
 * profile. Returns 0, or -1 with err.
 */
int cgroup_names_learn(struct cgroup_names *names, const struct event *event, struct raw_profile *profile,
		       struct error *err);

/* Returns the name as a string of the profile; "cgroup ID" if no record named the cgroup. */
uint32_t cgroup_names_find(struct cgroup_names *names, uint64_t id, struct raw_profile *profile);

#endif
