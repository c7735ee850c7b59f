/* Queries the first mapping of this process, to find out whether the kernel has the ioctl. */
#include "record/machine/procmap_query.h"

#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <unistd.h>

bool procmap_query_is_known(const char *proc)
{
	struct procmap_query query = { .size = sizeof(query), .query_flags = QUERY_COVERING_OR_NEXT };
	char path[PATH_MAX];
	bool is_known;
	int fd;

	snprintf(path, sizeof(path), "%s/self/maps", proc);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return false;
	is_known = procmap_query(fd, &query) == 0;
	close(fd);
	return is_known;
}
