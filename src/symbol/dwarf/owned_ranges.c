/*
 * Ranges are sorted by start, and each remembers the highest end up to itself. A binary search finds the last range that
 * begins at or before the address; from there the search goes back only as long as some earlier range can still reach the
 * address.
 */
#include "symbol/dwarf/owned_ranges.h"

#include <stdlib.h>

#include "base/partition_point.h"
#include "base/xalloc.h"

void owned_ranges_add(struct owned_ranges *ranges, uint64_t low, uint64_t high, uint32_t owner)
{
	*ARRAY_ADD(ranges->items, ranges->count, ranges->capacity) =
		(struct owned_range){ low, high, 0, owner };
}

/* Among ranges with the same start, the search, which goes backwards, meets that of the smallest owner first. */
static int compare(const void *one, const void *other)
{
	const struct owned_range *a = one, *b = other;

	if (a->low != b->low)
		return a->low < b->low ? -1 : 1;
	return a->owner > b->owner ? -1 : a->owner < b->owner;
}

void owned_ranges_sort(struct owned_ranges *ranges)
{
	uint64_t highest = 0;

	if (ranges->count)
		qsort(ranges->items, ranges->count, sizeof(*ranges->items), compare);
	for (size_t i = 0; i < ranges->count; i++) {
		if (ranges->items[i].high > highest)
			highest = ranges->items[i].high;
		ranges->items[i].highest = highest;
	}
}

void owned_ranges_clear(struct owned_ranges *ranges)
{
	ranges->count = 0;
}

void owned_ranges_fini(struct owned_ranges *ranges)
{
	free(ranges->items);
	*ranges = (struct owned_ranges){ .items = NULL };
}

const struct owned_range *owned_ranges_find(const struct owned_ranges *ranges, uint64_t address)
{
	size_t low = PARTITION_POINT(i, 0, ranges->count, ranges->items[i].low <= address);

	while (low > 0 && ranges->items[low - 1].highest > address)
		if (address < ranges->items[--low].high)
			return &ranges->items[low];
	return NULL;
}
