#ifndef XPROF_SYMBOL_UNIT_RANGES_H
#define XPROF_SYMBOL_UNIT_RANGES_H

/* Finds the unit that contains an address. */

#include "symbol/dwarf/unit_source.h"

/* Must be zeroed before the first use. */
struct unit_ranges {
	struct owned_ranges said; /* owners are numbers of units */
	bool knows_all;           /* ranges of units without ranges in their entries were read, too */
};

#define UNIT_RANGES_NONE UINT32_MAX

/* Reads the ranges of the units of the context's file, where there is code. */
void unit_ranges_read(struct unit_ranges *ranges, const struct unit_context *context);

/*
 * Adds the ranges of units that have none in their first entry, from their functions; reads these units
 * completely.
 */
void unit_ranges_read_others(struct unit_ranges *ranges, const struct unit_context *context);
void unit_ranges_fini(struct unit_ranges *ranges);

/* The number of the unit that contains `vaddr`, or UNIT_RANGES_NONE. */
uint32_t unit_ranges_find(const struct unit_ranges *ranges, uint64_t vaddr);

#endif
