/*
 * A least-significant-digit radix sort with digits of 11 bits. The XOR of all keys with the first one tells which digits
 * differ at all; the others need no pass.
 */
#include "base/radix_sort.h"

#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"

enum {
	DIGIT_BITS = 11, /* 16 KiB of counters stay in the nearest cache */
	DIGIT_MASK = (1 << DIGIT_BITS) - 1,
	KEY_BITS = 64,
};

static void sort_by_digit(struct radix_item *to, const struct radix_item *from, size_t count, unsigned shift)
{
	size_t places[1 << DIGIT_BITS] = { 0 }, next = 0, i;

	for (i = 0; i < count; i++)
		places[from[i].key >> shift & DIGIT_MASK]++;
	for (i = 0; i <= DIGIT_MASK; i++) {
		const size_t first = next;

		next += places[i];
		places[i] = first;
	}
	for (i = 0; i < count; i++)
		to[places[from[i].key >> shift & DIGIT_MASK]++] = from[i];
}

void radix_sort(struct radix_item *items, size_t count)
{
	struct radix_item *scratch, *from = items, *to;
	uint64_t differing = 0;
	unsigned shift;
	size_t i;

	for (i = 1; i < count; i++)
		differing |= items[i].key ^ items[0].key;
	if (!differing)
		return;
	to = scratch = xmalloc(count * sizeof(*scratch));
	for (shift = 0; shift < KEY_BITS; shift += DIGIT_BITS) {
		struct radix_item *sorted = to;

		if (!(differing >> shift & DIGIT_MASK))
			continue;
		sort_by_digit(sorted, from, count, shift);
		to = from;
		from = sorted;
	}
	if (from != items)
		memcpy(items, from, count * sizeof(*items));
	free(scratch);
}
