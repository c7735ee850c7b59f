/*
 * Every entry takes one path: make_entry() fills in its header, write_entry() writes header and bytes. Equal input gives equal
 * bytes, so all entries have the caller's time, and gzip's own time stamp is switched off. The functions at the end of the
 * file take the place of all others in a build without libarchive.
 */
#include "archive/archive_writer.h"

#include "archive/libarchive.h"

#ifdef HAVE_LIBARCHIVE

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file_place.h"
#include "base/xalloc.h"

struct archive_writer {
	struct libarchive library;
	char *path;
	char *temporary; /* its name until it is complete; NULL for standard output, a FIFO or a device */
	struct archive *tar;
	int fd;
	int64_t time_s;
};

bool archive_writer_is_available(struct error *err)
{
	struct libarchive library;

	return libarchive_load(&library, err) == 0;
}

static bool ends_with(const char *text, const char *end)
{
	size_t length = strlen(text), end_length = strlen(end);

	return length >= end_length && strcmp(text + length - end_length, end) == 0;
}

/* gzip's header would contain the current time, but equal input must give equal bytes. */
static int add_filter(const struct archive_writer *writer, int (*add)(struct archive *))
{
	const struct libarchive *library = &writer->library;
	const int result = add(writer->tar);

	if (result != ARCHIVE_OK || add != library->archive_write_add_filter_gzip)
		return result;
	return library->archive_write_set_filter_option(writer->tar, "gzip", "timestamp", NULL);
}

static int set_filter(const struct archive_writer *writer)
{
	const struct libarchive *library = &writer->library;
	const struct {
		const char *suffix, *short_suffix;
		int (*add)(struct archive *);
	} filters[] = { { ".zst", ".tzst", library->archive_write_add_filter_zstd },
			{ ".gz", ".tgz", library->archive_write_add_filter_gzip },
			{ ".xz", ".txz", library->archive_write_add_filter_xz },
			{ ".bz2", ".tbz2", library->archive_write_add_filter_bzip2 } };

	for (size_t i = 0; i < sizeof(filters) / sizeof(*filters); i++)
		if (ends_with(writer->path, filters[i].suffix) ||
		    ends_with(writer->path, filters[i].short_suffix))
			return add_filter(writer, filters[i].add);
	return library->archive_write_add_filter_none(writer->tar);
}

static int explain(const struct archive_writer *writer, struct error *err)
{
	const char *why = writer->library.archive_error_string(writer->tar);

	return error_set(err, "cannot write %s: %s", writer->path, why ? why : strerror(errno));
}

/* A new file is as private as a recording. */
static int open_output(const struct archive_writer *writer)
{
	if (strcmp(writer->path, "-") == 0)
		return fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3);
	return writer->temporary ? mkostemp(writer->temporary, O_CLOEXEC) :
				   open(writer->path, O_WRONLY | O_TRUNC | O_CLOEXEC);
}

static int open_tar(struct archive_writer *writer, struct error *err)
{
	const struct libarchive *library = &writer->library;

	writer->fd = open_output(writer);
	if (writer->fd < 0)
		return error_set_errno(err, errno, "cannot create %s", writer->path);
	if (set_filter(writer) != ARCHIVE_OK ||
	    library->archive_write_set_format_pax_restricted(writer->tar) != ARCHIVE_OK ||
	    library->archive_write_set_bytes_in_last_block(writer->tar, 1) != ARCHIVE_OK ||
	    library->archive_write_open_fd(writer->tar, writer->fd) != ARCHIVE_OK)
		return explain(writer, err);
	return 0;
}

struct archive_writer *archive_writer_create(const char *path, int64_t time_s, struct error *err)
{
	struct libarchive library;
	struct archive_writer *writer;

	if (libarchive_load(&library, err) < 0) {
		error_wrap(err, "cannot write %s", path);
		return NULL;
	}
	writer = xcalloc(1, sizeof(*writer));
	writer->library = library;
	writer->path = xstrdup(path);
	if (strcmp(path, "-") != 0 && file_place_at(path) != FILE_PLACE_SPECIAL)
		writer->temporary = xasprintf("%s.XXXXXX", path);
	writer->tar = library.archive_write_new();
	writer->fd = -1;
	writer->time_s = time_s;
	if (open_tar(writer, err) < 0) {
		archive_writer_destroy(writer);
		return NULL;
	}
	return writer;
}

static struct archive_entry *make_entry(const struct archive_writer *writer, const char *name, unsigned type)
{
	const struct libarchive *library = &writer->library;
	struct archive_entry *entry = library->archive_entry_new();

	library->archive_entry_set_pathname(entry, name);
	library->archive_entry_set_filetype(entry, type);
	library->archive_entry_set_perm(entry, type == AE_IFLNK ? 0777 : 0644);
	library->archive_entry_set_mtime(entry, writer->time_s, 0);
	return entry;
}

static int write_entry(struct archive_writer *writer, struct archive_entry *entry, const void *bytes,
		       size_t size, struct error *err)
{
	const struct libarchive *library = &writer->library;
	const char *next = bytes;
	int result =
		library->archive_write_header(writer->tar, entry) == ARCHIVE_OK ? 0 : explain(writer, err);

	while (result == 0 && size > 0) {
		la_ssize_t written = library->archive_write_data(writer->tar, next, size);

		if (written <= 0) {
			result = explain(writer, err);
			break;
		}
		next += written;
		size -= (size_t)written;
	}
	library->archive_entry_free(entry);
	return result;
}

int archive_writer_add(struct archive_writer *writer, const char *name, const void *bytes, size_t size,
		       struct error *err)
{
	struct archive_entry *entry = make_entry(writer, name, AE_IFREG);

	writer->library.archive_entry_set_size(entry, (int64_t)size);
	return write_entry(writer, entry, bytes, size, err);
}

int archive_writer_add_sparse(struct archive_writer *writer, const char *name, const void *bytes, size_t size,
			      const struct archive_range *ranges, size_t range_count, struct error *err)
{
	const struct libarchive *library = &writer->library;
	struct archive_entry *entry = make_entry(writer, name, AE_IFREG);

	library->archive_entry_set_size(entry, (int64_t)size);
	for (size_t i = 0; i < range_count; i++)
		library->archive_entry_sparse_add_entry(entry, (int64_t)ranges[i].offset,
							(int64_t)ranges[i].size);
	return write_entry(writer, entry, bytes, size, err);
}

int archive_writer_add_link(struct archive_writer *writer, const char *name, const char *target,
			    struct error *err)
{
	struct archive_entry *entry = make_entry(writer, name, AE_IFLNK);

	writer->library.archive_entry_set_symlink(entry, target);
	return write_entry(writer, entry, NULL, 0, err);
}

int archive_writer_finish(struct archive_writer *writer, uint64_t *size_bytes, struct error *err)
{
	if (writer->library.archive_write_close(writer->tar) != ARCHIVE_OK)
		return explain(writer, err);
	*size_bytes = (uint64_t)writer->library.archive_filter_bytes(writer->tar, -1);
	if (!writer->temporary)
		return 0;
	if (fsync(writer->fd) < 0)
		return error_set_errno(err, errno, "cannot write %s", writer->path);
	if (file_place_rename(writer->temporary, writer->path) < 0)
		return error_set_errno(err, errno, "cannot create %s", writer->path);
	free(writer->temporary);
	writer->temporary = NULL;
	return 0;
}

void archive_writer_destroy(struct archive_writer *writer)
{
	if (!writer)
		return;
	(void)writer->library.archive_write_free(writer->tar);
	if (writer->fd >= 0) {
		close(writer->fd);
		if (writer->temporary)
			(void)unlink(writer->temporary);
	}
	free(writer->temporary);
	free(writer->path);
	free(writer);
}

#else /* no libarchive */

bool archive_writer_is_available(struct error *err)
{
	return libarchive_load(NULL, err) == 0;
}

struct archive_writer *archive_writer_create(const char *path, int64_t time_s, struct error *err)
{
	(void)time_s;
	if (libarchive_load(NULL, err) < 0)
		error_wrap(err, "cannot write %s", path);
	return NULL;
}

int archive_writer_add(struct archive_writer *writer, const char *name, const void *bytes, size_t size,
		       struct error *err)
{
	(void)writer, (void)bytes, (void)size;
	return error_set(err, "cannot write %s: this xprof was built without libarchive", name);
}

int archive_writer_add_sparse(struct archive_writer *writer, const char *name, const void *bytes, size_t size,
			      const struct archive_range *ranges, size_t range_count, struct error *err)
{
	(void)ranges, (void)range_count;
	return archive_writer_add(writer, name, bytes, size, err);
}

int archive_writer_add_link(struct archive_writer *writer, const char *name, const char *target,
			    struct error *err)
{
	return archive_writer_add(writer, name, target, 0, err);
}

int archive_writer_finish(struct archive_writer *writer, uint64_t *size_bytes, struct error *err)
{
	*size_bytes = 0;
	return archive_writer_add(writer, "the archive", NULL, 0, err);
}

void archive_writer_destroy(struct archive_writer *writer)
{
	(void)writer;
}

#endif
