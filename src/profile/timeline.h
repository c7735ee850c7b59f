#ifndef XPROF_PROFILE_TIMELINE_H
#define XPROF_PROFILE_TIMELINE_H

/*
 * The times of a profile's samples, as exactly as a picture needs them: time is divided into slots, and an
 * entry for each slot and merged sample counts how many samples fell into the slot.
 *
 * Slots are 2 ms at first and become longer if there are too many entries, so memory is bounded however long
 * the recording is. Fifty slots are a column of a heat map; columns have round lengths: tenths of seconds,
 * seconds, minutes. Slots and columns begin at multiples of their length on the recording's clock.
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

/*
 * Keeps at most `most_entries` (at least 2) entries. If more than half as many samples differ, the limit becomes four times
 * their number.
 */
struct timeline *timeline_create(size_t most_entries);
void timeline_destroy(struct timeline *timeline);
void timeline_clear(struct timeline *timeline); /* removes everything */

/* Adds one sample; times may come in any order. */
void timeline_add(struct timeline *timeline, uint64_t time_ns, uint32_t sample, uint64_t weight);

/* Changes sample numbers: `numbers` has the new number for each old one. */
void timeline_renumber(struct timeline *timeline, const uint32_t *numbers);

/*
 * Call after the last addition. Chooses a slot length that gives at most `most_columns` columns (at least 2), and
 * sorts entries by slot, then sample, each pair once.
 */
void timeline_finish(struct timeline *timeline, uint64_t most_columns);

size_t timeline_count(const struct timeline *timeline);
const struct timeline_entry *timeline_at(const struct timeline *timeline, size_t number);
uint64_t timeline_slot_ns(const struct timeline *timeline);

#endif
