/* The first bytes of a file decide whether it is decompressed, into memory, or opened as it is. */
#include "elf/compressed_file.h"

#include <unistd.h>

#include "base/regular_file.h"
#include "base/unwrap.h"

struct elf_file *compressed_file_open(const char *path, struct error *err)
{
	int fd = regular_file_open(path, err);
	uint8_t magic[WRAPPING_MAGIC_BYTES], *bytes;
	enum wrapping wrapping;
	size_t size;
	ssize_t got;

	if (fd < 0)
		return NULL;
	got = pread(fd, magic, sizeof(magic), 0);
	wrapping = wrapping_of(magic, got > 0 ? (size_t)got : 0);
	if (wrapping == WRAPPING_NONE) {
		close(fd);
		return elf_file_open(path, err);
	}
	bytes = unwrap_to_memory(wrapping, fd, NULL, 0, &size, path, err);
	close(fd);
	return bytes ? elf_file_open_memory(bytes, size, path, err) : NULL;
}
