/* The id of a cgroup of version 2 is the number of its directory's inode (kernfs). */
#include "record/wait/wait_cgroups.h"

#include <errno.h>
#include <stdbool.h>
#include <sys/stat.h>
#include <unistd.h>

#include "record/machine/cgroup_mount.h"

static bool is_of_any(const struct event_specs *events)
{
	for (size_t i = 0; i < events->count; i++)
		if (!events->items[i].cgroup)
			return true;
	return events->count == 0;
}

static int find_id(const struct cgroup_mount *mount, const char *name, uint64_t *id, struct error *err)
{
	const int fd = cgroup_mount_open(mount, name, err);
	struct stat st;
	int status = 0;

	if (fd < 0)
		return -1;
	if (fstat(fd, &st) < 0)
		status = error_set_errno(err, errno, "-G %s", name);
	*id = st.st_ino;
	close(fd);
	return status;
}

static int add(struct wait_cgroups *cgroups, uint64_t id, struct error *err)
{
	for (size_t i = 0; i < cgroups->count; i++)
		if (cgroups->ids[i] == id)
			return 0;
	if (cgroups->count == OFF_CPU_CGROUPS)
		return error_set(err, "--off-cpu: -G names more than %d cgroups", OFF_CPU_CGROUPS);
	cgroups->ids[cgroups->count++] = id;
	return 0;
}

int wait_cgroups_find(struct wait_cgroups *cgroups, const struct event_specs *events, const char *proc,
		      struct error *err)
{
	struct cgroup_mount mount;
	uint64_t id = 0;

	cgroups->count = 0;
	if (is_of_any(events))
		return 0;
	if (!cgroup_mount_find(&mount, proc))
		return error_set(err, "--off-cpu: -G: no cgroups are mounted");
	if (mount.version != 2)
		return error_set(
			err,
			"--off-cpu: -G: xprof records waits of version 2 cgroups only, and those in %s are "
			"version 1: leave out -G, and choose with 'xprof report --pid' or '--comms'",
			mount.root);
	for (size_t i = 0; i < events->count; i++)
		if (find_id(&mount, events->items[i].cgroup, &id, err) < 0 || add(cgroups, id, err) < 0)
			return -1;
	return 0;
}
