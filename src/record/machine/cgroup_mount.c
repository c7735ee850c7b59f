/* cgroup_mount_find() reads the table of mounts once; a mount of version 1 with perf_event ends the search. */
#include "record/machine/cgroup_mount.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>

#include "base/strbuf.h"
#include "record/machine/proc_file.h"

/* Whether the comma-separated options contain this one. */
static bool has_option(const char *options, const char *option)
{
	const size_t length = strlen(option);

	for (const char *at = options; *at; at += strcspn(at, ","), at += *at == ',')
		if (strncmp(at, option, length) == 0 && (at[length] == ',' || at[length] == '\0'))
			return true;
	return false;
}

/* The cgroup version of the mount. 0 if perf events do not use it. */
static int version_of(const char *type, const char *options)
{
	if (strcmp(type, "cgroup2") == 0)
		return 2;
	return strcmp(type, "cgroup") == 0 && has_option(options, "perf_event") ? 1 : 0;
}

bool cgroup_mount_find(struct cgroup_mount *mount, const char *proc)
{
	struct strbuf mounts = STRBUF_INIT;
	char *rest = NULL;

	*mount = (struct cgroup_mount){ .version = 0 };
	if (proc_file_readf(&mounts, NULL, "%s/mounts", proc) == 0)
		for (char *line = strtok_r(mounts.bytes, "\n", &rest); line && mount->version != 1;
		     line = strtok_r(NULL, "\n", &rest)) {
			char directory[PATH_MAX], type[32], options[512];
			int version;

			if (sscanf(line, "%*s %4095s %31s %511s", directory, type, options) != 3)
				continue;
			version = version_of(type, options);
			if (version == 0 || (version == 2 && mount->version))
				continue;
			mount->version = version;
			memcpy(mount->root, directory, sizeof(mount->root));
		}
	strbuf_fini(&mounts);
	return mount->version != 0;
}

int cgroup_mount_open(const struct cgroup_mount *mount, const char *name, struct error *err)
{
	const size_t root_length = strlen(mount->root);
	char path[2 * PATH_MAX];
	int fd;

	if (strncmp(name, mount->root, root_length) == 0 &&
	    (name[root_length] == '/' || name[root_length] == '\0'))
		name += root_length;
	snprintf(path, sizeof(path), "%s/%s", mount->root, name + strspn(name, "/"));
	fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (fd < 0 && (errno == ENOENT || errno == ENOTDIR))
		return error_set(err, "-G %s: there is no cgroup %s; names are paths below %s", name, path,
				 mount->root);
	if (fd < 0)
		return error_set_errno(err, errno, "-G %s: cannot open %s", name, path);
	return fd;
}
