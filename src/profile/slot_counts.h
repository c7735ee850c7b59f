#ifndef XPROF_PROFILE_SLOT_COUNTS_H
#define XPROF_PROFILE_SLOT_COUNTS_H

/* How many samples there were in each slot of time, for slots from the first that has one to the last. */

#include <stddef.h>
#include <stdint.h>

struct slot_counts {
	uint32_t *items; /* of the slots first, first + 1, ... */
	uint64_t first;
	size_t count;
	size_t before, after; /* unused items, all 0, in front of `items` and behind the last */
};

/* How many slots there would be with this one. */
uint64_t slot_counts_with(const struct slot_counts *counts, uint64_t slot);

/* Adds a sample. Memory is 4 to 8 bytes a slot: keep slot_counts_with() small. */
void slot_counts_add(struct slot_counts *counts, uint64_t slot);

/* Makes each `factor` slots one. */
void slot_counts_coarsen(struct slot_counts *counts, uint64_t factor);

/* Frees and empties. */
void slot_counts_fini(struct slot_counts *counts);

#endif
