#include "support/opened_dwarf.h"

#include "support/cmocka.h"

enum { CODE = 0x1000 };

static bool is_code(uint64_t vaddr, const void *context)
{
	(void)context;
	return vaddr >= CODE;
}

void opened_dwarf_open(struct opened_dwarf *opened, struct elf_file *elf)
{
	static const struct debug_file_search nowhere = { .symfs = "/proc/nonexistent" };

	assert_non_null(elf);
	*opened = (struct opened_dwarf){ .elf = elf, .file = dwarf_file_open(elf, &nowhere, NULL) };
	opened->context = (struct unit_context){ .file = opened->file,
						 .symfs = "/proc/nonexistent",
						 .directory = "/proc/nonexistent",
						 .is_code = is_code };
	(void)dwarf_file_open_handle(opened->file, &opened->handle);
}

void opened_dwarf_close(struct opened_dwarf *opened)
{
	dwarf_handle_close(&opened->handle);
	dwarf_file_close(opened->file);
	elf_file_close(opened->elf);
}
