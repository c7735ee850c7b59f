#ifndef XPROF_SYMBOL_DWARF_HANDLE_H
#define XPROF_SYMBOL_DWARF_HANDLE_H

/*
 * libdw over sections in memory, which it reads where they are. A handle belongs
 * to one thread: libdw keeps what it has read, without locks, until the handle is
 * closed; any number of handles may be open over the same sections.
 */

#include <elfutils/libdw.h>

#include "symbol/dwarf/dwarf_sections.h"

struct dwarf_handle {
	const struct dwarf_sections *sections;
	const struct dwarf_sections *alternate_sections;
	Elf *elf, *alternate_elf;
	Dwarf *dwarf, *alternate;
};

/* `alternate`: what dwz moved to another file; NULL: none. Sections are borrowed. -1: there is nothing to read. */
int dwarf_handle_open(struct dwarf_handle *handle, const struct dwarf_sections *sections,
		      const struct dwarf_sections *alternate);

/* A zeroed or closed one is fine. */
void dwarf_handle_close(struct dwarf_handle *handle);

/* NULL: there is no text, or one that does not end in its section. */
const char *dwarf_handle_text(const struct dwarf_handle *handle, Dwarf_Attribute *attribute);

/* The name of an entry or of its origins: the linkage name if the entry has one. NULL: unknown. */
const char *dwarf_handle_name(const struct dwarf_handle *handle, Dwarf_Die *entry);

/* A constant; 0: the entry has no such attribute. */
uint64_t dwarf_handle_number(Dwarf_Die *entry, unsigned int name);

#endif
