/*
 * Split debug information of arbitrary bytes, as a .dwo file and as a package, for a skeleton whose id is the input's last
 * eight bytes: finds the unit, makes it whole and walks through it.
 */

#include <dwarf.h>
#include <stdlib.h>
#include <string.h>

#include "support/memory_file.h"
#include "symbol/dwarf/inline_index.h"
#include "symbol/dwarf/split_dwarf.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static bool is_code(uint64_t vaddr, const void *context)
{
	(void)vaddr;
	(void)context;
	return true;
}

static void walk(struct split_unit *split)
{
	struct inline_index inlines = { 0 };
	uint32_t scopes[INLINE_MAX_DEPTH];
	Dwarf_Files *files;
	size_t count, named = 0;

	inline_index_read(&inlines, &split->sections, &split->entry, is_code, NULL, NULL, 0);
	for (size_t i = 0; i < inlines.functions.count; i++)
		named += inline_index_find(&inlines, inlines.functions.items[i].low, scopes);
	for (size_t i = 0; i < inlines.scope_count; i++)
		named += dwarf_handle_name(&split->handle, &inlines.scopes[i].entry) != NULL;
	if (dwarf_getsrcfiles(&split->entry, &files, &count) == 0)
		named += count;
	if (named == SIZE_MAX) /* uses the result, so that the compiler keeps it */
		abort();
	inline_index_fini(&inlines);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const uint8_t addresses[64] = { 0x10, [9] = 0x20, [17] = 0x30 };
	const struct dwarf_sections main_sections = {
		.at = { [DWARF_ADDR] = { addresses, sizeof(addresses) },
			[DWARF_RANGES] = { addresses, sizeof(addresses) } },
		.is_64bit = true,
	};
	struct dwarf_unit skeleton = { .low_pc = 0x1000, .directory = "/", .addr_base = 8 };
	struct split_package *package;
	struct split_unit split = { .own_file = NULL };
	struct error err;
	struct memory_file file;

	if (size < sizeof(skeleton.split_id))
		return 0;
	size -= sizeof(skeleton.split_id);
	memcpy(&skeleton.split_id, data + size, sizeof(skeleton.split_id));
	memory_file_create(&file, data, size);
	skeleton.split_name = file.path;
	package = split_package_open(file.path, &err);
	if (split_unit_open(&split, &skeleton, &main_sections, package, "", "/proc/nonexistent", &err) == 0)
		walk(&split);
	split_unit_close(&split);
	split_package_close(package);
	memory_file_close(&file);
	return 0;
}
