#ifndef XPROF_ARCHIVE_ARCHIVE_WRITER_H
#define XPROF_ARCHIVE_ARCHIVE_WRITER_H

/*
 * A tar that is being written, by libarchive, compressed as its name says (.tar.zst, .tar.gz, .tar.xz, .tar.bz2). A file
 * has another name until it is whole; one that is not finished leaves nothing behind. "-" is standard output; a FIFO or
 * a device is written into as it is.
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

/* Whether archives can be written at all. err: xprof was built without libarchive, or it is not installed. */
bool archive_writer_is_available(struct error *err);

/* time_s: what all files in it are dated; equal contents and times give equal bytes. NULL with err. */
struct archive_writer *archive_writer_create(const char *path, int64_t time_s, struct error *err);

/* Bytes as they are. 0, -1: the archive cannot be finished then. */
int archive_writer_add(struct archive_writer *writer, const char *name, const void *bytes, size_t size,
		       struct error *err);

/* Of `bytes` only the ranges, which rise; between them are holes. */
int archive_writer_add_sparse(struct archive_writer *writer, const char *name, const void *bytes, size_t size,
			      const struct archive_range *ranges, size_t range_count, struct error *err);

/* A symbolic link. */
int archive_writer_add_link(struct archive_writer *writer, const char *name, const char *target,
			    struct error *err);

/* Gives it its name, and its size in bytes. */
int archive_writer_finish(struct archive_writer *writer, uint64_t *size_bytes, struct error *err);
void archive_writer_destroy(struct archive_writer *writer);

#endif
