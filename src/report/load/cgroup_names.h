#ifndef XPROF_REPORT_LOAD_CGROUP_NAMES_H
#define XPROF_REPORT_LOAD_CGROUP_NAMES_H

/* The names of a recording's cgroups: samples have their numbers, PERF_RECORD_CGROUP their paths. */

#include "base/error.h"
#include "format/event.h"
#include "profile/raw_profile.h"

struct cgroup_names;

struct cgroup_names *cgroup_names_create(void);
void cgroup_names_destroy(struct cgroup_names *names);

/* A PERF_RECORD_CGROUP: { u64 id; char path[]; }, linux/perf_event.h. Its path is a string of the profile from now on. */
int cgroup_names_learn(struct cgroup_names *names, const struct event *event, struct raw_profile *profile,
		       struct error *err);

/* A string of the profile; "cgroup ID" where no record said what it is called. */
uint32_t cgroup_names_find(struct cgroup_names *names, uint64_t id, struct raw_profile *profile);

#endif
