#ifndef XPROF_SYMBOL_DWARF_HANDLE_H
#define XPROF_SYMBOL_DWARF_HANDLE_H

/*
 * A libdw handle that reads sections in memory in place. It belongs to one thread, because libdw caches what
 * it has read, without locks, until the handle is closed. Any number of handles may be open over the same
 * sections.
 */

#include <elfutils/libdw.h>

#include "symbol/dwarf/dwarf_sections.h"

struct dwarf_handle {
	const struct dwarf_sections *sections;
	const struct dwarf_sections *alternate_sections;
	Elf *elf, *alternate_elf;
	Dwarf *dwarf, *alternate;
};

/*
 * `alternate`: sections of the file with parts that dwz moved; NULL: none. Sections are borrowed. Returns -1 if
 * there is nothing to read.
 */
int dwarf_handle_open(struct dwarf_handle *handle, const struct dwarf_sections *sections,
		      const struct dwarf_sections *alternate);

/* The handle may be zeroed or closed already. */
void dwarf_handle_close(struct dwarf_handle *handle);

/* The text of an attribute; NULL if it has none, or the text does not end inside its section. */
const char *dwarf_handle_text(const struct dwarf_handle *handle, Dwarf_Attribute *attribute);

/* The name of an entry or of its origins: the linkage name if the entry has one. NULL: unknown. */
const char *dwarf_handle_name(const struct dwarf_handle *handle, Dwarf_Die *entry);

/* The value of a constant attribute; 0 if the entry has none. */
uint64_t dwarf_handle_number(Dwarf_Die *entry, unsigned int name);

#endif
