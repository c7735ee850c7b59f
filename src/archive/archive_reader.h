#ifndef XPROF_ARCHIVE_ARCHIVE_READER_H
#define XPROF_ARCHIVE_ARCHIVE_READER_H

/*
 * A recording that was packed with all it needs, as xprof archive and perf archive do: a tar, compressed or not, or the
 * directory that it was unpacked into. Files are found by their name inside of it, and nowhere else: nothing is written
 * to a place that others can see, a name that leads out of the archive is a name that is never found, and links are
 * followed inside of it alone.
 */

#include "archive/archive_image.h"
#include "base/error.h"

struct archive_reader;

/*
 * NONE: what lies at `path` is something else, or nothing. FAILED (err): it is one, and cannot be read. `marker` is a
 * file that makes a directory an archive; tars are taken whatever is in them. "-" is standard input, if that is a file.
 *
 * NO_LIBRARY (err): it is a tar, or is compressed and may be one, and libarchive is not there. What is compressed may as
 * well be something else that the caller reads without it.
 */
enum archive_open archive_reader_open(const char *path, const char *marker, struct archive_reader **reader,
				      struct error *err);
void archive_reader_close(struct archive_reader *reader);

const char *archive_reader_path(const struct archive_reader *reader);

/*
 * The file of that name ("perf.data", ".build-id/ab/cd…/elf"), links followed. 1 and the image, which lives until it is
 * unmapped, also when the reader is closed; 0: there is none; -1.
 */
int archive_reader_map(const struct archive_reader *reader, const char *name, struct archive_image *image,
		       struct error *err);

#endif
