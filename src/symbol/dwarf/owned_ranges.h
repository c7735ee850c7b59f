#ifndef XPROF_SYMBOL_OWNED_RANGES_H
#define XPROF_SYMBOL_OWNED_RANGES_H

/* Maps an address to the owner of its code: ranges, which may be nested, each with an owner. */

#include <stddef.h>
#include <stdint.h>

struct owned_range {
	uint64_t low, high;
	uint64_t highest; /* largest `high` of all items up to this one, which limits a search backwards */
	uint32_t owner;   /* the caller's number */
};

/* Must be zeroed before the first use. */
struct owned_ranges {
	struct owned_range *items; /* in ascending order of low, once sorted */
	size_t count, capacity;
};

void owned_ranges_add(struct owned_ranges *ranges, uint64_t low, uint64_t high, uint32_t owner);

/* Call after the last addition and before the first lookup. */
void owned_ranges_sort(struct owned_ranges *ranges);

/* Removes all ranges, but keeps the memory. */
void owned_ranges_clear(struct owned_ranges *ranges);
void owned_ranges_fini(struct owned_ranges *ranges);

/*
 * The range that contains the address and begins last; of several that begin together, the one with the smallest owner.
 * NULL if no range contains it.
 */
const struct owned_range *owned_ranges_find(const struct owned_ranges *ranges, uint64_t address);

#endif
