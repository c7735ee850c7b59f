#ifndef XPROF_TEST_SUPPORT_OPENED_DWARF_H
#define XPROF_TEST_SUPPORT_OPENED_DWARF_H

/* The debug information of a file, and what units of it are read with. */

#include "symbol/dwarf/unit_source.h"

struct opened_dwarf {
	struct elf_file *elf;
	struct dwarf_file *file;
	struct dwarf_handle handle;  /* all zeros where there is no debug information */
	struct unit_context context; /* code is from 0x1000 on; other files are nowhere */
};

/* Takes over the file. */
void opened_dwarf_open(struct opened_dwarf *opened, struct elf_file *elf);
void opened_dwarf_close(struct opened_dwarf *opened);

#endif
