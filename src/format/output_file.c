#include "format/output_file.h"

#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/xalloc.h"

struct output_file {
	int fd;
	bool seekable;
	char *name;
	bool aside;       /* has not got its name yet */
	char *aside_path; /* what it is called until then; NULL: it has no name at all */
};

/* The directory that `perf record --threads` made: it is kept like a file. Others are in nobody's way. */
static bool is_recording_directory(const char *path)
{
	char *data = xasprintf("%s/data", path);
	bool found = access(data, F_OK) == 0;

	free(data);
	return found;
}

/* 1: renamed, or nothing was there; 0: it is to be opened as it is; -1. */
static int make_way(const char *path, struct error *err)
{
	struct stat st;
	char *old;
	int result;

	if (stat(path, &st) != 0)
		return 1; /* absent, or a path that open() explains better */
	if (S_ISDIR(st.st_mode) && !is_recording_directory(path))
		return error_set(err, "cannot write %s: it is a directory; choose a file with -o FILE", path);
	if (!S_ISDIR(st.st_mode) && !S_ISREG(st.st_mode))
		return 0;
	if (S_ISREG(st.st_mode) && st.st_size == 0)
		return 1;
	old = xasprintf("%s.old", path);
	result = rename(path, old);
	if (result != 0)
		error_set_errno(err, errno,
				"cannot keep the older %s as %s (move it away, or choose another file)", path,
				old);
	free(old);
	return result == 0 ? 1 : -1;
}

static struct output_file *output_over(int fd, const char *name)
{
	struct output_file *output = xcalloc(1, sizeof(*output));
	struct stat st;

	output->fd = fd;
	output->name = xstrdup(name);
	output->seekable = fstat(fd, &st) == 0 && S_ISREG(st.st_mode);
	return output;
}

static struct output_file *output_over_stdout(struct error *err)
{
	struct output_file *output;
	int fd = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3);

	if (fd < 0) {
		error_set_errno(err, errno, "cannot write to standard output");
		return NULL;
	}
	output = output_over(fd, "standard output");
	/* Asked for as a pipe, wherever it leads: it may be shared or opened for append. */
	output->seekable = false;
	return output;
}

static const char *remedy_of_open(int errno_value)
{
	switch (errno_value) {
	case EACCES:
	case EPERM:
	case EROFS: return " (choose a directory that you may write to with -o FILE)";
	case ENOENT: return " (make its directory first, or choose another file with -o FILE)";
	case ENOSPC:
	case EDQUOT: return " (free some space, or choose another file with -o FILE)";
	default: return " (choose another file with -o FILE)";
	}
}

struct output_file *output_file_create(const char *path, struct error *err)
{
	struct output_file *output;
	int fd, flags;

	if (strcmp(path, "-") == 0)
		return output_over_stdout(err);
	flags = make_way(path, err);
	if (flags < 0)
		return NULL;
	flags = flags ? O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC : O_WRONLY | O_CLOEXEC;
	fd = open(path, flags, 0600);
	if (fd < 0) {
		error_set_errno(err, errno, "cannot write %s%s", path, remedy_of_open(errno));
		return NULL;
	}
	output = output_over(fd, path);
	/* An empty file that was there before has the mode of whoever made it. Samples are private. */
	if (output->seekable)
		(void)fchmod(fd, 0600);
	return output;
}

static bool is_special(const char *path)
{
	struct stat st;

	return strcmp(path, "-") == 0 ||
	       (stat(path, &st) == 0 && !S_ISREG(st.st_mode) && !S_ISDIR(st.st_mode));
}

/* A file without a name, which nobody has to remove; not all file systems have them. */
static int open_nameless(const char *path)
{
	char *copy = xstrdup(path);
	int fd = open(dirname(copy), O_TMPFILE | O_WRONLY | O_CLOEXEC, 0600);

	free(copy);
	return fd;
}

static bool is_foreign_directory(const char *path)
{
	struct stat st;

	return stat(path, &st) == 0 && S_ISDIR(st.st_mode) && !is_recording_directory(path);
}

struct output_file *output_file_create_aside(const char *path, struct error *err)
{
	struct output_file *output;
	char *aside_path = NULL;
	int fd;

	if (is_special(path))
		return output_file_create(path, err);
	if (is_foreign_directory(path)) {
		error_set(err, "cannot write %s: it is a directory", path);
		return NULL;
	}
	fd = open_nameless(path);
	if (fd < 0) {
		aside_path = xasprintf("%s.XXXXXX", path);
		fd = mkostemp(aside_path, O_CLOEXEC);
	}
	if (fd < 0) {
		error_set_errno(err, errno, "cannot write %s%s", path,
				errno == ENOENT ? " (make its directory first)" :
						  " (choose a directory that you may write to)");
		free(aside_path);
		return NULL;
	}
	output = output_over(fd, path);
	output->aside = true;
	output->aside_path = aside_path;
	return output;
}

static int give_name(const struct output_file *output)
{
	char nameless[64];

	if (output->aside_path)
		return rename(output->aside_path, output->name);
	snprintf(nameless, sizeof(nameless), "/proc/self/fd/%d", output->fd); /* see open(2), O_TMPFILE */
	return linkat(AT_FDCWD, nameless, AT_FDCWD, output->name, AT_SYMLINK_FOLLOW);
}

/* An empty file is not worth keeping, and in a link's way. */
static void remove_empty(const char *path)
{
	struct stat st;

	if (stat(path, &st) == 0 && S_ISREG(st.st_mode) && st.st_size == 0)
		(void)unlink(path);
}

int output_file_publish(struct output_file *output, struct error *err)
{
	if (!output->aside)
		return 0;
	if (make_way(output->name, err) < 0)
		return -1;
	remove_empty(output->name);
	if (give_name(output) != 0)
		return error_set_errno(err, errno, "cannot give %s its name", output->name);
	output->aside = false;
	return 0;
}

bool output_file_is_aside(const struct output_file *output)
{
	return output->aside;
}

void output_file_close(struct output_file *output)
{
	if (!output)
		return;
	if (output->aside && output->aside_path)
		(void)unlink(output->aside_path);
	close(output->fd);
	free(output->name);
	free(output->aside_path);
	free(output);
}

const char *output_file_name(const struct output_file *output)
{
	return output->name;
}

bool output_file_seekable(const struct output_file *output)
{
	return output->seekable;
}

static int explain_write(const struct output_file *output, int errno_value, struct error *err)
{
	const char *remedy = "";

	if (output->aside)
		remedy = " (it stays as it was)";
	else if (errno_value == ENOSPC || errno_value == EDQUOT)
		remedy =
			" (free some space, choose another place with -o FILE, or record less with -F or without -g)";
	else if (errno_value == EFBIG)
		remedy =
			" (raise the limit on file sizes, see 'ulimit -f', or record less with -F or without -g)";
	else if (errno_value == EPIPE)
		remedy = " (the program that reads it has ended)";
	return error_set_errno(err, errno_value, "cannot write to %s%s", output->name, remedy);
}

int output_file_write(struct output_file *output, const void *bytes, size_t size, struct error *err)
{
	const char *next = bytes;

	while (size > 0) {
		ssize_t written = write(output->fd, next, size);

		if (written < 0 && errno == EINTR)
			continue;
		if (written < 0)
			return explain_write(output, errno, err);
		next += written;
		size -= (size_t)written;
	}
	return 0;
}

int output_file_write_at(struct output_file *output, const void *bytes, size_t size, uint64_t file_offset,
			 struct error *err)
{
	const char *next = bytes;

	while (size > 0) {
		ssize_t written = pwrite(output->fd, next, size, (off_t)file_offset);

		if (written < 0 && errno == EINTR)
			continue;
		if (written < 0)
			return explain_write(output, errno, err);
		next += written;
		file_offset += (uint64_t)written;
		size -= (size_t)written;
	}
	return 0;
}

void output_file_truncate(struct output_file *output, uint64_t size_bytes)
{
	/* The data ends where data.size says, so a failure here only leaves bytes that nobody reads. */
	if (ftruncate(output->fd, (off_t)size_bytes) != 0)
		return;
}
