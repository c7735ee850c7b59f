#ifndef XPROF_TEST_SUPPORT_OPENED_DWARF_H
#define XPROF_TEST_SUPPORT_OPENED_DWARF_H

/* The debug information of a file, and everything needed to read its units. */

#include "symbol/dwarf/unit_source.h"

struct opened_dwarf {
	struct elf_file *elf;
	struct dwarf_file *file;
	struct dwarf_handle handle;  /* all zeros without debug information */
	struct unit_context context; /* code begins at 0x1000; other files do not exist */
};

/* Takes ownership of the file. */
void opened_dwarf_open(struct opened_dwarf *opened, struct elf_file *elf);
void opened_dwarf_close(struct opened_dwarf *opened);

#endif
