#ifndef XPROF_ARCHIVE_ARCHIVE_IMAGE_H
#define XPROF_ARCHIVE_ARCHIVE_IMAGE_H

/* A file of an archive in memory, and how opening an archive may end: the same for tars and directories. */

#include <stddef.h>
#include <stdint.h>

#include "base/map_guard.h"

/*
 * One file's bytes. Where a file has holes there are zeros, which take no memory; likewise where a file of a directory was cut
 * short meanwhile.
 */
struct archive_image {
	const uint8_t *bytes;
	size_t size;
	void *mapping; /* what archive_image_unmap() gives back */
	size_t mapping_bytes;
	struct map_guard *guard; /* of a file that others can write to */
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
