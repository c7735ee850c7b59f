#ifndef XPROF_SYMBOL_UNIT_RANGES_H
#define XPROF_SYMBOL_UNIT_RANGES_H

/* Which unit is an address in? */

#include "symbol/dwarf/unit_source.h"

/* Zeroed before the first use. */
struct unit_ranges {
	struct owned_ranges said; /* of the units of that number */
	bool knows_all;           /* those of units that do not say their own, too */
};

#define UNIT_RANGES_NONE UINT32_MAX

/* As the units of the context's file say it, where there is code. */
void unit_ranges_read(struct unit_ranges *ranges, const struct unit_context *context);

/* More, of units that do not say where their code is, by their functions; reads them whole. */
void unit_ranges_read_others(struct unit_ranges *ranges, const struct unit_context *context);
void unit_ranges_fini(struct unit_ranges *ranges);

/* The unit's number in the file, or UNIT_RANGES_NONE. */
uint32_t unit_ranges_find(const struct unit_ranges *ranges, uint64_t vaddr);

#endif
