#ifndef XPROF_RECORD_CGROUP_MOUNT_H
#define XPROF_RECORD_CGROUP_MOUNT_H

/*
 * The hierarchy of cgroups that perf events use: that of version 1 with the controller perf_event if it is
 * mounted, else version 2 (Documentation/admin-guide/cgroup-v1/cgroups.rst, cgroup-v2.rst). Names of cgroups
 * are paths below it.
 */

#include <limits.h>
#include <stdbool.h>

#include "base/error.h"

struct cgroup_mount {
	char root[PATH_MAX]; /* without a slash at the end */
	int version;         /* 1 or 2 */
};

/* Reads PROC/mounts. Returns false if no such hierarchy is mounted. */
bool cgroup_mount_find(struct cgroup_mount *mount, const char *proc);

/*
 * Opens the directory of the cgroup `name` for PERF_FLAG_PID_CGROUP; "/" is the root cgroup. `name` may also
 * be a full path below mount->root. Returns a descriptor, or -1 with err.
 */
int cgroup_mount_open(const struct cgroup_mount *mount, const char *name, struct error *err);

#endif
