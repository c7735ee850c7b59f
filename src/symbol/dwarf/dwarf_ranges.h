#ifndef XPROF_SYMBOL_DWARF_RANGES_H
#define XPROF_SYMBOL_DWARF_RANGES_H

/* The ranges of code of entries (DWARF 5, section 2.17). */

#include "symbol/dwarf/dwarf_handle.h"

struct dwarf_range {
	uint64_t low, high; /* low < high */
};

/* Zeroed before the first use. */
struct dwarf_ranges {
	struct dwarf_range *items;
	size_t count, capacity;
	size_t budget; /* number of ranges that may still be read */
};

/*
 * A budget that is enough for all ranges in undamaged sections. It limits the work if many entries of a damaged file share
 * ranges.
 */
size_t dwarf_ranges_budget(const struct dwarf_sections *sections);

/* Appends the ranges of an entry. */
void dwarf_ranges_add(struct dwarf_ranges *ranges, Dwarf_Die *entry);
void dwarf_ranges_fini(struct dwarf_ranges *ranges);

#endif
