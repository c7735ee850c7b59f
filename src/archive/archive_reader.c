/*
 * One of two backends answers each request, chosen once in open_path(): a directory, read through openat2() with
 * RESOLVE_BENEATH, or a tar, read through tar_index.c. The first 512 bytes decide whether a file may be a tar, so that plain
 * recordings never load libarchive. Start at archive_reader_open().
 */
#include "archive/archive_reader.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/openat2.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "archive/tar_index.h"
#include "base/xalloc.h"

struct archive_reader {
	char *path;
	int directory;         /* -1 if it is a tar */
	struct tar_index *tar; /* NULL if it is a directory */
};

enum { MAGIC_BYTES = 512 };

static bool begins_with(const uint8_t *bytes, size_t size, const char *magic, size_t magic_size)
{
	return size >= magic_size && memcmp(bytes, magic, magic_size) == 0;
}

/* "ustar" at its place (POSIX.1-2001, pax interchange format), or the magic number of a compressed file. */
static bool may_be_tar(const uint8_t *bytes, size_t size)
{
	enum { USTAR_MAGIC_OFFSET = 257 };
	static const struct {
		const char *bytes;
		size_t size;
	} compressed[] = { { "\x1f\x8b", 2 },
			   { "\x28\xb5\x2f\xfd", 4 },
			   { "\xfd"
			     "7zXZ",
			     5 },
			   { "BZh", 3 },
			   { "\x04\x22\x4d\x18", 4 } };

	if (size > USTAR_MAGIC_OFFSET &&
	    begins_with(bytes + USTAR_MAGIC_OFFSET, size - USTAR_MAGIC_OFFSET, "ustar", 5))
		return true;
	for (size_t i = 0; i < sizeof(compressed) / sizeof(*compressed); i++)
		if (begins_with(bytes, size, compressed[i].bytes, compressed[i].size))
			return true;
	return false;
}

static enum archive_open open_tar(struct archive_reader *reader, int fd, struct error *err)
{
	uint8_t magic[MAGIC_BYTES];
	ssize_t got = pread(fd, magic, sizeof(magic), 0);

	if (lseek(fd, 0, SEEK_CUR) != 0 || got <= 0 || !may_be_tar(magic, (size_t)got))
		return ARCHIVE_OPEN_NONE;
	return tar_index_read(fd, reader->path, &reader->tar, err);
}

static enum archive_open open_path(struct archive_reader *reader, const char *marker, struct error *err)
{
	const bool is_input = strcmp(reader->path, "-") == 0;
	int fd = is_input ? fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 3) :
			    open(reader->path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	enum archive_open result = ARCHIVE_OPEN_NONE;
	struct stat st;

	if (fd < 0)
		return ARCHIVE_OPEN_NONE; /* the caller then opens it as something else, and reports the error */
	if (fstat(fd, &st) < 0)
		st.st_mode = 0;
	if (S_ISDIR(st.st_mode) && faccessat(fd, marker, F_OK, 0) == 0) {
		reader->directory = fd;
		return ARCHIVE_OPENED;
	}
	if (S_ISREG(st.st_mode))
		result = open_tar(reader, fd, err);
	if (is_input && result != ARCHIVE_OPENED && S_ISREG(st.st_mode))
		(void)lseek(fd, 0, SEEK_SET); /* for the next reader of the file */
	close(fd);
	return result;
}

enum archive_open archive_reader_open(const char *path, const char *marker, struct archive_reader **reader,
				      struct error *err)
{
	struct archive_reader *opened = xcalloc(1, sizeof(*opened));
	enum archive_open result;

	opened->path = xstrdup(path);
	opened->directory = -1;
	result = open_path(opened, marker, err);
	if (result == ARCHIVE_OPENED)
		*reader = opened;
	else
		archive_reader_close(opened);
	return result;
}

void archive_reader_close(struct archive_reader *reader)
{
	if (!reader)
		return;
	if (reader->directory >= 0)
		close(reader->directory);
	tar_index_close(reader->tar);
	free(reader->path);
	free(reader);
}

const char *archive_reader_path(const struct archive_reader *reader)
{
	return reader->path;
}

static bool leads_out(const char *name)
{
	if (*name == '/')
		return true;
	while (*name) {
		const size_t length = strcspn(name, "/");

		if (length == 2 && name[0] == '.' && name[1] == '.')
			return true;
		name += length + (name[length] == '/');
	}
	return false;
}

/*
 * Links may lead from one place of the directory to another, but not out of it. If the kernel cannot check that (before Linux
 * 5.6, or if openat2() is forbidden), the last part of a name must not be a link.
 */
static int open_beneath(int directory, const char *name)
{
	struct open_how how = { .flags = O_RDONLY | O_CLOEXEC | O_NONBLOCK,
				.resolve = RESOLVE_BENEATH | RESOLVE_NO_MAGICLINKS };
	long fd;

	if (leads_out(name)) {
		errno = ENOENT;
		return -1;
	}
	fd = syscall(SYS_openat2, directory, name, &how, sizeof(how));
	if (fd < 0 && (errno == ENOSYS || errno == EPERM))
		fd = openat(directory, name, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOFOLLOW);
	return (int)fd;
}

static int map_open_file(int fd, const char *name, struct archive_image *image, struct error *err)
{
	struct stat st;
	void *bytes;

	if (fstat(fd, &st) < 0)
		return error_set_errno(err, errno, "cannot read %s", name);
	if (!S_ISREG(st.st_mode))
		return 0;
	*image = (struct archive_image){ .bytes = (const uint8_t *)"" };
	if (st.st_size == 0)
		return 1;
	bytes = mmap(NULL, (size_t)st.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
	if (bytes == MAP_FAILED)
		return error_set_errno(err, errno, "cannot map %s", name);
	*image = (struct archive_image){ .bytes = bytes,
					 .size = (size_t)st.st_size,
					 .mapping = bytes,
					 .mapping_bytes = (size_t)st.st_size,
					 .guard = map_guard_add(bytes, (size_t)st.st_size) };
	return 1;
}

static int map_beneath(const struct archive_reader *reader, const char *name, struct archive_image *image,
		       struct error *err)
{
	int fd = open_beneath(reader->directory, name), result;

	if (fd < 0)
		return errno == ENOENT || errno == ENOTDIR || errno == EXDEV || errno == ELOOP ?
			       0 :
			       error_set_errno(err, errno, "cannot open %s/%s", reader->path, name);
	result = map_open_file(fd, name, image, err);
	close(fd);
	return result;
}

int archive_reader_map(const struct archive_reader *reader, const char *name, struct archive_image *image,
		       struct error *err)
{
	return reader->tar ? tar_index_map(reader->tar, name, image, err) :
			     map_beneath(reader, name, image, err);
}
