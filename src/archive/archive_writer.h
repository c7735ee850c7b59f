#ifndef XPROF_ARCHIVE_ARCHIVE_WRITER_H
#define XPROF_ARCHIVE_ARCHIVE_WRITER_H

/*
 * Writes a tar with libarchive; the suffix of its name chooses the compression (.tar.zst, .tar.gz, .tar.xz,
 * .tar.bz2). A file gets its name when it is complete; an unfinished one leaves nothing behind. "-" is
 * standard output; a FIFO or a device is written into and not replaced.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

struct archive_writer;

/* A part of a file that is not a hole. Begins and ends at multiples of ARCHIVE_HOLE_BYTES, or with the file. */
struct archive_range {
	uint64_t offset, size;
};

enum { ARCHIVE_HOLE_BYTES = 512 }; /* a tar's block */

/*
 * Can archives be written at all? If not, err says that xprof was built without libarchive, or that it is not
 * installed.
 */
bool archive_writer_is_available(struct error *err);

/*
 * All files in it get the time `time_s` (seconds since the Epoch); equal contents and times give equal bytes.
 * Returns NULL with err set on failure.
 */
struct archive_writer *archive_writer_create(const char *path, int64_t time_s, struct error *err);

/* Adds a file with these bytes. Returns 0, or -1; the archive cannot be finished then. */
int archive_writer_add(struct archive_writer *writer, const char *name, const void *bytes, size_t size,
		       struct error *err);

/*
 * Adds a file of `size` bytes with only these ranges of `bytes`, in ascending order; holes lie between them.
 */
int archive_writer_add_sparse(struct archive_writer *writer, const char *name, const void *bytes, size_t size,
			      const struct archive_range *ranges, size_t range_count, struct error *err);

/* A symbolic link. */
int archive_writer_add_link(struct archive_writer *writer, const char *name, const char *target,
			    struct error *err);

/* Gives the archive its name and returns its size in bytes. */
int archive_writer_finish(struct archive_writer *writer, uint64_t *size_bytes, struct error *err);
void archive_writer_destroy(struct archive_writer *writer);

#endif
