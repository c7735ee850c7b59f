#ifndef XPROF_ARCHIVE_TAR_INDEX_H
#define XPROF_ARCHIVE_TAR_INDEX_H

/*
 * A tar that libarchive has read once: the names of its files, and their bytes in an unlinked file in
 * $TMPDIR, from which they are mapped one by one. Tars are untrusted input: sizes that they claim are
 * limited, and names in them are only compared.
 */

#include "archive/archive_image.h"
#include "base/error.h"

struct tar_index;

/*
 * As archive_reader_open(). FAILED: the tar is damaged, or there is no room for the spool file. Does not close
 * `fd`.
 */
enum archive_open tar_index_read(int fd, const char *path, struct tar_index **out, struct error *err);
void tar_index_close(struct tar_index *index);

/* As archive_reader_map(). */
int tar_index_map(const struct tar_index *index, const char *name, struct archive_image *image,
		  struct error *err);

#endif
