/*
 * The first half handles names: it keeps an older recording as PATH.old, and creates the new one in place, or without a
 * name for output_file_publish() to link. The second half writes. If the caller gave an output_wait, opening a FIFO and
 * writing to a pipe wait in slices of 50 ms, so that a signal is noticed.
 */
#include "format/write/output_file.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file_place.h"
#include "base/xalloc.h"

enum { WAIT_SLICE_MS = 50 }; /* how soon a waiting program notices that it has to stop */

struct output_file {
	int fd;
	struct output_wait wait;
	bool seekable;
	char *name;
	bool is_temporary;    /* does not have its name yet */
	char *temporary_path; /* its temporary name; NULL if it has none */
};

/* Whether it is a directory made by `perf record --threads`, which is kept like a file; other directories are refused. */
static bool is_recording_directory(const char *path)
{
	char *data = xasprintf("%s/data", path);
	bool found = access(data, F_OK) == 0;

	free(data);
	return found;
}

static bool is_part_of_recording(const char *name)
{
	return strcmp(name, "data") == 0 || strncmp(name, "data.", 5) == 0;
}

/* Removes an older recording's directory, unless it has files that perf did not put there. */
static void remove_recording_directory(const char *path)
{
	struct dirent **entries;
	int count = scandir(path, &entries, NULL, NULL);
	bool foreign = false;

	for (int i = 0; i < count; i++)
		foreign |= entries[i]->d_name[0] != '.' && !is_part_of_recording(entries[i]->d_name);
	for (int i = 0; i < count; i++) {
		char *part = xasprintf("%s/%s", path, entries[i]->d_name);

		if (!foreign && is_part_of_recording(entries[i]->d_name))
			(void)unlink(part);
		free(part);
		free(entries[i]);
	}
	if (count >= 0)
		free(entries);
	(void)rmdir(path); /* if this fails, the rename that follows fails, too, and is explained */
}

static int keep_as_old(const char *path, struct error *err)
{
	char *old = xasprintf("%s.old", path);
	int result;

	if (file_place_at(old) == FILE_PLACE_DIRECTORY && is_recording_directory(old))
		remove_recording_directory(old);
	result = file_place_rename(path, old);
	if (result != 0)
		error_set_errno(err, errno,
				"cannot rename the existing %s to %s (move it away, or choose another file)",
				path, old);
	free(old);
	return result;
}

/* Makes the name available for a new file; -1 if that is impossible. */
static int make_way(const char *path, struct error *err)
{
	struct stat st;

	switch (file_place_at(path)) {
	case FILE_PLACE_DIRECTORY:
		if (!is_recording_directory(path))
			return error_set(
				err, "cannot write %s: it is a directory; choose a file with -o FILE", path);
		return keep_as_old(path, err);
	case FILE_PLACE_REGULAR: return stat(path, &st) == 0 && st.st_size == 0 ? 0 : keep_as_old(path, err);
	default: return 0; /* open() reports what is wrong with a path */
	}
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
	/* Treated as a pipe, whatever it is: it may be shared or opened for append. */
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

static bool is_same_file(const struct stat *one, const struct stat *other)
{
	return one->st_dev == other->st_dev && one->st_ino == other->st_ino;
}

bool output_file_leads_to(const char *path, int fd)
{
	const bool to_stdout = strcmp(path, "-") == 0;
	struct stat place, open_file;

	if ((to_stdout ? fstat(STDOUT_FILENO, &place) : stat(path, &place)) != 0 ||
	    fstat(fd, &open_file) != 0)
		return false;
	/* A terminal or /dev/null may be shared: outputs of several programs do no harm to each other there. */
	return is_same_file(&place, &open_file) &&
	       (!S_ISCHR(place.st_mode) || (to_stdout && fd == STDOUT_FILENO));
}

/* Whether it is "-", or a special name (as /dev/stdout) for the regular file that is standard output. */
static bool is_stdout(const char *path)
{
	struct stat st;

	return strcmp(path, "-") == 0 || (file_place_at(path) == FILE_PLACE_SPECIAL && stat(path, &st) == 0 &&
					  S_ISREG(st.st_mode) && output_file_leads_to(path, STDOUT_FILENO));
}

static bool is_fifo(const char *path)
{
	struct stat st;

	return stat(path, &st) == 0 && S_ISFIFO(st.st_mode);
}

/*
 * A FIFO can be opened once a program reads from it. Blocked signals do not interrupt open(), so a caller that waits for
 * them by other means is asked in between.
 */
static int open_fifo(const char *path, const struct output_wait *wait)
{
	unsigned int waited_ms = 0;
	int fd;

	for (;;) {
		fd = open(path, O_WRONLY | O_NONBLOCK | O_CLOEXEC);
		if (fd >= 0 || errno != ENXIO)
			break;
		if (wait->is_over(waited_ms, wait->context)) {
			errno = EINTR;
			return -1;
		}
		waited_ms += WAIT_SLICE_MS;
		(void)poll(NULL, 0, WAIT_SLICE_MS);
	}
	if (fd >= 0)
		(void)fcntl(fd, F_SETFL, 0);
	return fd;
}

static int open_output(const char *path, const struct output_wait *wait)
{
	if (wait->is_over && is_fifo(path))
		return open_fifo(path, wait);
	if (file_place_at(path) == FILE_PLACE_SPECIAL)
		return open(path, O_WRONLY | O_TRUNC | O_CLOEXEC);
	return open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
}

struct output_file *output_file_create_waiting(const char *path, const struct output_wait *wait,
					       struct error *err)
{
	struct output_file *output;
	int fd;

	if (is_stdout(path)) {
		output = output_over_stdout(err);
		if (output)
			output->wait = *wait;
		return output;
	}
	if (make_way(path, err) != 0)
		return NULL;
	fd = open_output(path, wait);
	if (fd < 0) {
		error_set_errno(err, errno, "cannot write %s%s", path, remedy_of_open(errno));
		return NULL;
	}
	output = output_over(fd, path);
	output->wait = *wait;
	/* An empty file that existed before has the mode chosen by its maker. Samples are private. */
	if (output->seekable)
		(void)fchmod(fd, 0600);
	return output;
}

struct output_file *output_file_create(const char *path, struct error *err)
{
	return output_file_create_waiting(path, &(const struct output_wait){ .is_over = NULL }, err);
}

static bool is_special(const char *path)
{
	return strcmp(path, "-") == 0 || file_place_at(path) == FILE_PLACE_SPECIAL;
}

/* Opens a file without a name, which need not be removed. Not all file systems have them. */
static int open_nameless(const char *path)
{
	char *copy = xstrdup(path);
	int fd = open(dirname(copy), O_TMPFILE | O_WRONLY | O_CLOEXEC, 0600);

	free(copy);
	return fd;
}

static bool is_foreign_directory(const char *path)
{
	return file_place_at(path) == FILE_PLACE_DIRECTORY && !is_recording_directory(path);
}

struct output_file *output_file_create_temporary(const char *path, struct error *err)
{
	struct output_file *output;
	char *temporary_path = NULL;
	int fd;

	if (is_special(path))
		return output_file_create(path, err);
	if (is_foreign_directory(path)) {
		error_set(err, "cannot write %s: it is a directory", path);
		return NULL;
	}
	fd = open_nameless(path);
	if (fd < 0) {
		temporary_path = xasprintf("%s.XXXXXX", path);
		fd = mkostemp(temporary_path, O_CLOEXEC);
	}
	if (fd < 0) {
		error_set_errno(err, errno, "cannot write %s%s", path,
				errno == ENOENT ? " (make its directory first)" :
						  " (choose a directory that you may write to)");
		free(temporary_path);
		return NULL;
	}
	output = output_over(fd, path);
	output->is_temporary = true;
	output->temporary_path = temporary_path;
	return output;
}

static int give_name(const struct output_file *output)
{
	char nameless[64];

	if (output->temporary_path)
		return file_place_rename(output->temporary_path, output->name);
	snprintf(nameless, sizeof(nameless), "/proc/self/fd/%d", output->fd); /* see open(2), O_TMPFILE */
	return linkat(AT_FDCWD, nameless, AT_FDCWD, output->name, AT_SYMLINK_FOLLOW);
}

/* linkat() does not replace a file: first removes an empty one, or a link that leads nowhere. */
static void remove_empty(const char *path)
{
	struct stat st;

	switch (file_place_at(path)) {
	case FILE_PLACE_REGULAR:
		if (stat(path, &st) == 0 && st.st_size == 0)
			(void)unlink(path);
		break;
	case FILE_PLACE_FREE: (void)unlink(path); break;
	default: break;
	}
}

int output_file_publish(struct output_file *output, struct error *err)
{
	if (!output->is_temporary)
		return 0;
	if (make_way(output->name, err) != 0)
		return -1;
	remove_empty(output->name);
	if (give_name(output) != 0)
		return error_set_errno(err, errno, "cannot rename the complete file to %s", output->name);
	output->is_temporary = false;
	return 0;
}

bool output_file_is_temporary(const struct output_file *output)
{
	return output->is_temporary;
}

void output_file_close(struct output_file *output)
{
	if (!output)
		return;
	if (output->is_temporary && output->temporary_path)
		(void)unlink(output->temporary_path);
	close(output->fd);
	free(output->name);
	free(output->temporary_path);
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

	if (output->is_temporary)
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

/* Waits until a write of PIPE_BUF bytes does not block. */
static int wait_for_reader(const struct output_file *output, struct error *err)
{
	struct pollfd entry = { .fd = output->fd, .events = POLLOUT };

	for (unsigned int waited_ms = 0;; waited_ms += WAIT_SLICE_MS) {
		if (poll(&entry, 1, WAIT_SLICE_MS) > 0)
			return 0; /* also on an error: write() explains it */
		if (output->wait.is_over(waited_ms, output->wait.context))
			return error_set_errno(
				err, EINTR,
				"cannot write to %s: the program that reads it has stopped reading",
				output->name);
	}
}

/* A write to a full pipe is not interrupted by blocked signals either. */
static bool may_have_to_wait(const struct output_file *output)
{
	return output->wait.is_over && !output->seekable;
}

int output_file_write(struct output_file *output, const void *bytes, size_t size, struct error *err)
{
	const char *next = bytes;

	while (size > 0) {
		const bool waiting = may_have_to_wait(output);
		ssize_t written;

		if (waiting && wait_for_reader(output, err) != 0)
			return -1;
		written = write(output->fd, next, waiting && size > PIPE_BUF ? PIPE_BUF : size);
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
		ssize_t written = TEMP_FAILURE_RETRY(pwrite(output->fd, next, size, (off_t)file_offset));

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
	/* The data ends where data.size says, so a failure here only leaves bytes that are never read. */
	if (ftruncate(output->fd, (off_t)size_bytes) != 0)
		return;
}
