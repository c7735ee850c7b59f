#ifndef XPROF_SYMBOL_OWNED_RANGES_H
#define XPROF_SYMBOL_OWNED_RANGES_H

/* Maps an address to the owner of its code: ranges, which may be nested, each with an owner. */

#include <stddef.h>
#include <stdint.h>

struct owned_range {
	uint64_t low, high;
	uint64_t highest; /* of all up to here: how far back a search has to look */
	uint32_t owner;   /* the caller's number */
};

/* Zeroed before the first use. */
struct owned_ranges {
	struct owned_range *items; /* by rising low, once they are sorted */
	size_t count, capacity;
};

void owned_ranges_add(struct owned_ranges *ranges, uint64_t low, uint64_t high, uint32_t owner);

/* After the last that is added, and before the first that is looked for. */
void owned_ranges_sort(struct owned_ranges *ranges);

/* All are gone; their memory will be used again. */
void owned_ranges_clear(struct owned_ranges *ranges);
void owned_ranges_fini(struct owned_ranges *ranges);

/*
 * Of the ranges that the address lies in the one that begins last, of those that begin together the one of the smallest
 * owner; NULL: it lies in none.
 */
const struct owned_range *owned_ranges_find(const struct owned_ranges *ranges, uint64_t address);

#endif
