#include "format/output_file.h"

#include <errno.h>
#include <fcntl.h>
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
		error_set_errno(
			err, errno,
			"cannot keep the older %s as %s (move it away, or choose another file with -o FILE)",
			path, old);
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

	if (strcmp(path, "-") == 0) {
		fd = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3);
		if (fd < 0) {
			error_set_errno(err, errno, "cannot write to standard output");
			return NULL;
		}
		output = output_over(fd, "standard output");
		output->seekable =
			false; /* asked for as a pipe, wherever it leads: it may be shared or opened for append */
		return output;
	}
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

void output_file_close(struct output_file *output)
{
	if (!output)
		return;
	close(output->fd);
	free(output->name);
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

	if (errno_value == ENOSPC || errno_value == EDQUOT)
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
