/* Decompresses the section and opens the result as an ELF file of its own. */
#include "elf/mini_debuginfo.h"

#include <stdlib.h>

#include "base/unwrap.h"
#include "base/xalloc.h"

int mini_debuginfo_open(struct elf_file *file, struct elf_file **mini, struct error *err)
{
	struct elf_section section;
	uint8_t *bytes;
	size_t size;
	char *name;
	int result = elf_file_section(file, ".gnu_debugdata", &section, err);

	*mini = NULL;
	if (result != 1)
		return result;
	if (!section.bytes) /* a debug file keeps the header of the section without its bytes */
		return 0;
	name = xasprintf("%s(.gnu_debugdata)", elf_file_path(file));
	bytes = unwrap_to_memory(WRAPPING_XZ, -1, section.bytes, section.size, &size, name, err);
	*mini = bytes ? elf_file_open_memory(bytes, size, name, err) : NULL;
	free(name);
	return *mini ? 1 : -1;
}
