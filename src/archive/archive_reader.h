#ifndef XPROF_ARCHIVE_ARCHIVE_READER_H
#define XPROF_ARCHIVE_ARCHIVE_READER_H

/*
 * Reads an archive of xprof archive or perf archive: a tar, compressed or not, or the directory into which it
 * was unpacked. Files are found by their names in the archive. The reader writes nothing where others can see
 * it, never finds a name that leads out of the archive, and follows links only inside it.
 *
 *     if (archive_reader_open(path, "perf.data", &reader, &err) == ARCHIVE_OPENED &&
 *         archive_reader_map(reader, "perf.data", &image, &err) == 1)
 *             read_recording(&image);
 */

#include "archive/archive_image.h"
#include "base/error.h"

struct archive_reader;

/*
 * NONE: there is no archive at `path`. FAILED (err): there is one, but it cannot be read. A directory is an
 * archive if it contains the file `marker`; a tar always is. "-" is standard input, if that is a file.
 *
 * NO_LIBRARY (err): the file is a tar, or is compressed and may be one, and libarchive is missing; a
 * compressed file may also be something else that the caller reads without libarchive.
 */
enum archive_open archive_reader_open(const char *path, const char *marker, struct archive_reader **reader,
				      struct error *err);
void archive_reader_close(struct archive_reader *reader);

const char *archive_reader_path(const struct archive_reader *reader);

/*
 * Maps the file of that name ("perf.data", ".build-id/ab/cd…/elf"), following links. Returns 1 and the image,
 * 0 if there is no such file, -1 on error. The image is valid until it is unmapped, even after the reader is
 * closed.
 */
int archive_reader_map(const struct archive_reader *reader, const char *name, struct archive_image *image,
		       struct error *err);

#endif
