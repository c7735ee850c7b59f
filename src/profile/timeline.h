#ifndef XPROF_PROFILE_TIMELINE_H
#define XPROF_PROFILE_TIMELINE_H

/*
 * The times of a profile's samples, as precisely as a picture shows them: time is cut into slots, and each
 * slot counts how many of each of the profile's merged samples fell into it.
 *
 * Slots begin as 2 ms and get coarser when there are too many entries, so memory
 * is bounded however long a recording is. Fifty slots are a column of a heat map,
 * and columns are what people count time in: tenths of seconds, seconds, minutes.
 * Slots and columns begin at multiples of their length in the recording's clock.
 */

#include <stddef.h>
#include <stdint.h>

enum { TIMELINE_COLUMN_SLOTS = 50 };

struct timeline_entry {
	uint64_t slot;   /* time_ns / slot_ns */
	uint32_t sample; /* number of the profile's sample */
	uint32_t count;
	uint64_t weight;
};

struct timeline;

/* At most `most_entries` are kept (2 at least). */
struct timeline *timeline_create(size_t most_entries);
void timeline_destroy(struct timeline *timeline);
void timeline_clear(struct timeline *timeline); /* as it was created */

/* One sample; times may come in any order. */
void timeline_add(struct timeline *timeline, uint64_t time_ns, uint32_t sample, uint64_t weight);

/* Samples have new numbers: `numbers` by old ones. */
void timeline_renumber(struct timeline *timeline, const uint32_t *numbers);

/*
 * After the last addition: slots of a length that suits the recording's, at most `most_columns` columns (2 at least);
 * entries in order of slot, then sample, each pair once.
 */
void timeline_finish(struct timeline *timeline, uint64_t most_columns);

size_t timeline_count(const struct timeline *timeline);
const struct timeline_entry *timeline_at(const struct timeline *timeline, size_t number);
uint64_t timeline_slot_ns(const struct timeline *timeline);

#endif
