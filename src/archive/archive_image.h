#ifndef XPROF_ARCHIVE_ARCHIVE_IMAGE_H
#define XPROF_ARCHIVE_ARCHIVE_IMAGE_H

/* A file of an archive in memory, and how opening an archive may end: the same for tars and directories. */

#include <stddef.h>
#include <stdint.h>

#include "base/map_guard.h"

/*
 * One file's bytes. Holes read as zeros and take no memory. The end of a file in a directory that was shortened meanwhile
 * reads as zeros, too.
 */
struct archive_image {
	const uint8_t *bytes;
	size_t size;
	void *mapping; /* for archive_image_unmap() */
	size_t mapping_bytes;
	struct map_guard *guard; /* guards a file that other programs can write to */
};

enum archive_open {
	ARCHIVE_OPEN_FAILED = -1,
	ARCHIVE_OPEN_NONE,
	ARCHIVE_OPENED,
	ARCHIVE_OPEN_NO_LIBRARY,
};

void archive_image_unmap(struct archive_image *image);

/* The caller takes over the mapping, guards it if need be, and unmaps it. */
void *archive_image_take(struct archive_image *image);

#endif
