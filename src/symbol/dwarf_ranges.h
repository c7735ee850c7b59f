#ifndef XPROF_SYMBOL_DWARF_RANGES_H
#define XPROF_SYMBOL_DWARF_RANGES_H

/* Where an entry's code lies: one range, or a list of them (DWARF 4 and 5, section 2.17). */

#include "symbol/dwarf_unit.h"

struct dwarf_range {
	uint64_t low, high; /* vaddrs; high is the first one behind it, and larger */
};

/* Growable; ranges that were there before stay. */
struct dwarf_ranges {
	struct dwarf_range *items;
	size_t count, capacity;
	uint64_t budget; /* bytes of lists that may still be read: stops lists that many entries point to */
};

/* What all entries of one unit, or of all, may read together: each list a few times over. */
uint64_t dwarf_ranges_budget(const struct dwarf_unit *unit);

/* Appends [low, high) unless it is empty. */
void dwarf_ranges_add(struct dwarf_ranges *ranges, uint64_t low, uint64_t high);

/* Appends those of a list (DW_AT_ranges); what is damaged ends it. */
void dwarf_ranges_add_list(struct dwarf_ranges *ranges, const struct dwarf_unit *unit,
			   const struct dwarf_value *list);
void dwarf_ranges_fini(struct dwarf_ranges *ranges);

#endif
