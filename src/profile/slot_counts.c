/* An array that grows at both ends, to twice its size at least: recordings are not quite in order of time. */
#include "profile/slot_counts.h"

#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"

uint64_t slot_counts_with(const struct slot_counts *counts, uint64_t slot)
{
	if (counts->count == 0)
		return 1;
	if (slot < counts->first)
		return counts->first - slot + counts->count;
	return slot - counts->first < counts->count ? counts->count : slot - counts->first + 1;
}

/* Makes room in front of the items or behind them; the other side keeps what it has. */
static void grow(struct slot_counts *counts, size_t more_before, size_t more_after)
{
	const size_t before = counts->before + more_before, after = counts->after + more_after;
	uint32_t *block = xcalloc(before + counts->count + after, sizeof(*block));

	if (counts->count)
		memcpy(block + before, counts->items, counts->count * sizeof(*block));
	if (counts->items)
		free(counts->items - counts->before);
	counts->items = block + before;
	counts->before = before;
	counts->after = after;
}

static void take_in(struct slot_counts *counts, uint64_t slot)
{
	const size_t added = (size_t)(slot_counts_with(counts, slot) - counts->count);

	if (counts->count == 0)
		counts->first = slot;
	if (slot < counts->first) {
		if (counts->before < added)
			grow(counts, counts->count + added, 0);
		counts->items -= added;
		counts->before -= added;
		counts->first = slot;
	} else {
		if (counts->after < added)
			grow(counts, 0, counts->count + added);
		counts->after -= added;
	}
	counts->count += added;
}

void slot_counts_add(struct slot_counts *counts, uint64_t slot)
{
	uint32_t *item;

	if (slot_counts_with(counts, slot) != counts->count || counts->count == 0)
		take_in(counts, slot);
	item = &counts->items[slot - counts->first];
	*item += *item != UINT32_MAX;
}

void slot_counts_coarsen(struct slot_counts *counts, uint64_t factor)
{
	struct slot_counts coarse = { 0 };

	if (counts->count) {
		const uint64_t last = (counts->first + counts->count - 1) / factor;

		coarse.first = counts->first / factor;
		coarse.count = (size_t)(last - coarse.first + 1);
		coarse.items = xcalloc(coarse.count, sizeof(*coarse.items));
	}
	for (size_t i = 0; i < counts->count; i++) {
		uint32_t *item = &coarse.items[(counts->first + i) / factor - coarse.first];

		if (__builtin_add_overflow(*item, counts->items[i], item))
			*item = UINT32_MAX;
	}
	slot_counts_fini(counts);
	*counts = coarse;
}

void slot_counts_fini(struct slot_counts *counts)
{
	if (counts->items)
		free(counts->items - counts->before);
	*counts = (struct slot_counts){ 0 };
}
