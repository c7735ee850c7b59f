#ifndef XPROF_BASE_RADIX_SORT_H
#define XPROF_BASE_RADIX_SORT_H

/*
 * Sorts item numbers by a 64-bit key, without comparisons: one pass for each digit in which keys differ. Made
 * for tens of thousands of items.
 */

#include <stddef.h>
#include <stdint.h>

struct radix_item {
	uint64_t key;
	uint32_t number; /* the caller's */
};

/*
 * Least key first. Stable: items with equal keys keep their order, so sorting by several keys takes one call for each,
 * the least significant key first.
 */
void radix_sort(struct radix_item *items, size_t count);

#endif
