/* Opens first and checks the open descriptor, so the file cannot be replaced between the check and its use. */
#include "base/trusted_file.h"

#include <errno.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/regular_file.h"

static int check_owner(int fd, const char *path, uid_t trusted, struct error *err)
{
	struct stat st;

	if (fstat(fd, &st) < 0)
		return error_set_errno(err, errno, "cannot read %s", path);
	if (st.st_uid == 0 || st.st_uid == geteuid() || st.st_uid == trusted)
		return 0;
	return error_set(
		err,
		"%s belongs to user %u, neither to you nor to root: run xprof as that user, or 'chown' "
		"the file",
		path, (unsigned)st.st_uid);
}

int trusted_file_open(const char *path, uid_t trusted, struct error *err)
{
	int fd = regular_file_open(path, err);

	if (fd < 0)
		return -1;
	if (check_owner(fd, path, trusted, err) < 0) {
		close(fd);
		return -1;
	}
	return fd;
}
