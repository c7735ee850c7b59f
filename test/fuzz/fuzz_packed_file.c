/* Files of arbitrary bytes that contain others: ZIP files (APKs), and files compressed as a whole (kernel modules). */

#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include "elf/compressed_file.h"
#include "elf/zip_file.h"
#include "support/memory_file.h"

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
	struct memory_file file;
	size_t touched;

	memory_file_create(&file, data, size);
	touched = touch_zip(file.path);
	elf_file_close(compressed_file_open(file.path, NULL));
	memory_file_close(&file);
	return touched == SIZE_MAX;
}
