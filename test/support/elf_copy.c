#include "support/elf_copy.h"

#include <string.h>

#include "base/xalloc.h"

struct elf_file *elf_copy_open(const void *bytes, size_t size, const char *name, struct error *err)
{
	void *copy = xmalloc(size);

	if (size)
		memcpy(copy, bytes, size);
	return elf_file_open_memory(copy, size, name, err);
}
