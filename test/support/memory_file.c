#include "support/memory_file.h"

#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

#include "support/cmocka.h"

void memory_file_create(struct memory_file *file, const void *bytes, size_t size)
{
	file->fd = memfd_create("test", MFD_CLOEXEC);
	assert_true(file->fd >= 0);
	assert_int_equal(write(file->fd, bytes, size), size);
	snprintf(file->path, sizeof(file->path), "/proc/self/fd/%d", file->fd);
}

void memory_file_close(struct memory_file *file)
{
	close(file->fd);
}
