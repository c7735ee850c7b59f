#ifndef XPROF_BASE_RADIX_SORT_H
#define XPROF_BASE_RADIX_SORT_H

/*
 * Sorts tens of thousands of item numbers by a 64-bit key: without comparisons, in one pass for each digit in
 * which keys differ.
 */

#include <stddef.h>
#include <stdint.h>

struct radix_item {
	uint64_t key;
	uint32_t number; /* the caller's */
};

/* Least key first. Stable: items of equal keys stay in their order, so that one can sort by several keys, last first. */
void radix_sort(struct radix_item *items, size_t count);

#endif
