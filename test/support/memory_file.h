#ifndef XPROF_TEST_SUPPORT_MEMORY_FILE_H
#define XPROF_TEST_SUPPORT_MEMORY_FILE_H

/* A file of given bytes that has a path but is in no directory, and disappears when closed. */

#include <stddef.h>

struct memory_file {
	int fd;
	char path[32];
};

void memory_file_create(struct memory_file *file, const void *bytes, size_t size);
void memory_file_close(struct memory_file *file);

#endif
