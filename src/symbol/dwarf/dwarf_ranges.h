#ifndef XPROF_SYMBOL_DWARF_RANGES_H
#define XPROF_SYMBOL_DWARF_RANGES_H

/* Where the code of entries lies (DWARF 5, section 2.17). */

#include "symbol/dwarf/dwarf_handle.h"

struct dwarf_range {
	uint64_t low, high; /* low < high */
};

/* Zeroed before the first use. */
struct dwarf_ranges {
	struct dwarf_range *items;
	size_t count, capacity;
	size_t budget; /* as many more may be read */
};

/* Enough for all that the sections can mean; what many entries of a damaged file share is read no more often than that. */
size_t dwarf_ranges_budget(const struct dwarf_sections *sections);

/* Appends those of the entry. */
void dwarf_ranges_add(struct dwarf_ranges *ranges, Dwarf_Die *entry);
void dwarf_ranges_fini(struct dwarf_ranges *ranges);

#endif
