/* Decides whether an existing file may be renamed or replaced. This is the only file that calls rename(2). */

#include "base/file_place.h"

#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/xalloc.h"

static bool is_below(const char *path, const char *directory)
{
	size_t length = strlen(directory);

	return strncmp(path, directory, length) == 0 && (path[length] == '/' || path[length] == '\0');
}

/* A link in /dev or /proc stands for a descriptor or a device, and programs rely on it. */
static bool is_system_link(const char *path)
{
	struct stat st;
	char *copy, *directory;
	bool is_system;

	if (lstat(path, &st) != 0 || !S_ISLNK(st.st_mode))
		return false;
	copy = xstrdup(path);
	directory = realpath(dirname(copy), NULL);
	is_system = directory && (is_below(directory, "/dev") || is_below(directory, "/proc"));
	free(directory);
	free(copy);
	return is_system;
}

enum file_place file_place_at(const char *path)
{
	struct stat st;

	if (stat(path, &st) != 0)
		return FILE_PLACE_FREE;
	if (S_ISDIR(st.st_mode))
		return FILE_PLACE_DIRECTORY;
	return S_ISREG(st.st_mode) && !is_system_link(path) ? FILE_PLACE_REGULAR : FILE_PLACE_SPECIAL;
}

/* Fails with EEXIST if another process takes the name at this moment. Some file systems cannot guarantee that. */
static int rename_to_free(const char *from, const char *to)
{
	struct stat st;

	if (renameat2(AT_FDCWD, from, AT_FDCWD, to, RENAME_NOREPLACE) == 0)
		return 0;
	if (errno == EEXIST && lstat(to, &st) == 0 && S_ISLNK(st.st_mode) &&
	    file_place_at(to) == FILE_PLACE_FREE)
		return rename(from, to); /* replaces a link that leads nowhere */
	return errno == EINVAL || errno == ENOSYS ? rename(from, to) : -1;
}

int file_place_rename(const char *from, const char *to)
{
	if (file_place_at(from) == FILE_PLACE_SPECIAL) {
		errno = EINVAL;
		return -1;
	}
	switch (file_place_at(to)) {
	case FILE_PLACE_FREE: return rename_to_free(from, to);
	case FILE_PLACE_REGULAR: return rename(from, to);
	default: errno = EEXIST; return -1;
	}
}
