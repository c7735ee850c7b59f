/* See archive_image.h. */
#include "archive/archive_image.h"

#include <sys/mman.h>

void archive_image_unmap(struct archive_image *image)
{
	if (image->mapping)
		munmap(image->mapping, image->mapping_bytes);
	*image = (struct archive_image){ .bytes = NULL };
}
