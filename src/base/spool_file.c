/* The file is unlinked as soon as it is created, so no exit path has to clean up. */
#include "base/spool_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/xalloc.h"

const char *spool_file_directory(void)
{
	const char *directory = getenv("TMPDIR");

	if (directory && *directory)
		return directory;
	return access("/var/tmp", F_OK) == 0 ? "/var/tmp" : "/tmp";
}

static int explain(const char *name, struct error *err)
{
	return error_set_errno(err, errno,
			       "cannot create a temporary copy of %s in %s (set TMPDIR to a directory with "
			       "enough space)",
			       name, spool_file_directory());
}

int spool_file_create(const char *name, struct error *err)
{
	char *path = xasprintf("%s/xprof-XXXXXX", spool_file_directory());
	int fd = mkostemp(path, O_CLOEXEC);

	if (fd >= 0)
		unlink(path);
	else
		explain(name, err);
	free(path);
	return fd;
}

int spool_file_write(int fd, const void *bytes, size_t size, const char *name, struct error *err)
{
	const char *next = bytes;

	while (size > 0) {
		ssize_t written = TEMP_FAILURE_RETRY(write(fd, next, size));

		if (written < 0)
			return explain(name, err);
		next += written;
		size -= (size_t)written;
	}
	return 0;
}
