#ifndef XPROF_RECORD_CGROUP_MOUNT_H
#define XPROF_RECORD_CGROUP_MOUNT_H

/*
 * The hierarchy of cgroups that perf events know: of version 1 the one with the controller perf_event, if it is mounted,
 * else version 2 (Documentation/admin-guide/cgroup-v1/cgroups.rst, cgroup-v2.rst). Names of cgroups are paths below it.
 */

#include <limits.h>
#include <stdbool.h>

#include "base/error.h"

struct cgroup_mount {
	char root[PATH_MAX]; /* without a slash at the end */
	int version;         /* 1 or 2 */
};

/* From PROC/mounts; false where none is mounted. */
bool cgroup_mount_find(struct cgroup_mount *mount, const char *proc);

/*
 * A descriptor of the cgroup `name`, as PERF_FLAG_PID_CGROUP takes it; "/" is all. Also takes a path that begins with the
 * root itself. -1 with err.
 */
int cgroup_mount_open(const struct cgroup_mount *mount, const char *name, struct error *err);

#endif
