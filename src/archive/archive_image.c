/* See archive_image.h. */
#include "archive/archive_image.h"

#include <sys/mman.h>

void archive_image_unmap(struct archive_image *image)
{
	map_guard_remove(image->guard);
	if (image->mapping)
		munmap(image->mapping, image->mapping_bytes);
	*image = (struct archive_image){ .bytes = NULL };
}

void *archive_image_take(struct archive_image *image)
{
	void *mapping = image->mapping;

	map_guard_remove(image->guard);
	*image = (struct archive_image){ .bytes = NULL };
	return mapping;
}
