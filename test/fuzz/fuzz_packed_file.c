/* Files of arbitrary bytes that hold others: ZIP files (APKs), and what is compressed as a whole (kernel modules). */

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "elf/compressed_file.h"
#include "elf/zip_file.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static size_t touch_zip(const char *path)
{
	struct zip_file *zip = zip_file_open(path, NULL);
	size_t touched = 0;

	for (uint64_t offset = 0; zip && offset < 0x4000; offset += 0x21) {
		const struct zip_entry *entry = zip_file_at(zip, offset);

		if (!entry)
			continue;
		if (!zip_file_find(zip, entry->name))
			abort();
		touched += zip_entry_bytes(zip, entry)[entry->size - 1];
	}
	zip_file_close(zip);
	return touched;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	int fd = memfd_create("fuzz", MFD_CLOEXEC);
	size_t touched = 0;
	char path[64];

	if (fd < 0)
		return 0;
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	if (write(fd, data, size) == (ssize_t)size) {
		touched = touch_zip(path);
		elf_file_close(compressed_file_open(path, NULL));
	}
	close(fd);
	return touched == SIZE_MAX;
}
