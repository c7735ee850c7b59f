/*
 * Checks twice: the path, so that nothing but a regular file is opened, then the open descriptor, in case the path changed in
 * between.
 */
#include "base/regular_file.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

static int open_for_reading(const char *path)
{
	/* O_NONBLOCK: if a FIFO has just appeared at this path, the program must not wait. */
	return open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
}

int regular_file_open(const char *path, struct error *err)
{
	struct stat st;
	int fd = -1;

	if (stat(path, &st) < 0 || (S_ISREG(st.st_mode) && (fd = open_for_reading(path)) < 0))
		return error_set_errno(err, errno, "cannot open %s", path);
	if (fd >= 0 && fstat(fd, &st) == 0 && S_ISREG(st.st_mode))
		return fd;
	if (fd >= 0)
		close(fd);
	return error_set(err, "%s is not a regular file", path);
}
