#include "elf/own_vdso.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>

#include "base/xalloc.h"

enum { MAX_VDSO_BYTES = 1024 * 1024 }; /* it has 2 pages on x86-64 and never more than some dozen */

/* How many bytes are mapped from `start` on; 0 when that is not known. */
static uint64_t mapped_bytes(uint64_t start)
{
	FILE *maps = fopen("/proc/self/maps", "re");
	uint64_t size = 0;
	char line[4096 + 256];

	if (!maps)
		return 0;
	while (size == 0 && fgets(line, sizeof(line), maps)) {
		char *end;

		if (strtoull(line, &end, 16) == start && *end == '-')
			size = strtoull(end + 1, NULL, 16) - start;
	}
	fclose(maps);
	return size;
}

struct elf_file *own_vdso_open(struct error *err)
{
	uintptr_t start = (uintptr_t)getauxval(AT_SYSINFO_EHDR);
	uint64_t size = start ? mapped_bytes(start) : 0;
	void *copy;

	if (size == 0 || size > MAX_VDSO_BYTES) {
		error_set(err, "this process has no [vdso]");
		return NULL;
	}
	copy = xmalloc((size_t)size);
	memcpy(copy, (const void *)start, (size_t)size);
	return elf_file_open_memory(copy, (size_t)size, "[vdso]", err);
}
