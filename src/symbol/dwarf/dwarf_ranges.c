/* A loop around dwarf_ranges() of libdw that drops empty ranges and stops when the budget is used up. */
#include "symbol/dwarf/dwarf_ranges.h"

#include <stdlib.h>

#include "base/xalloc.h"

/*
 * Limits ranges by bytes: an entry with a range takes more than two bytes, and so does a range in a list. Few lists are
 * shared by several entries.
 */
size_t dwarf_ranges_budget(const struct dwarf_sections *sections)
{
	return sections->at[DWARF_INFO].size + sections->at[DWARF_RANGES].size +
	       sections->at[DWARF_RNGLISTS].size;
}

void dwarf_ranges_add(struct dwarf_ranges *ranges, Dwarf_Die *entry)
{
	Dwarf_Addr base = 0, low, high;
	ptrdiff_t at = 0;

	while (ranges->budget && (at = dwarf_ranges(entry, at, &base, &low, &high)) > 0) {
		ranges->budget--;
		if (low >= high)
			continue;
		*ARRAY_ADD(ranges->items, ranges->count, ranges->capacity) =
			(struct dwarf_range){ low, high };
	}
}

void dwarf_ranges_fini(struct dwarf_ranges *ranges)
{
	free(ranges->items);
	*ranges = (struct dwarf_ranges){ 0 };
}
