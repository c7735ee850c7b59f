#ifndef XPROF_PROFILE_TIMELINE_H
#define XPROF_PROFILE_TIMELINE_H

/*
 * The times of a profile's samples, as exactly as a picture needs them: time is divided into slots, and an
 * entry for each slot and merged sample counts how many samples fell into the slot.
 *
 * Slots are 2 ms at first and become longer if there are too many entries, so memory is bounded however long
 * the recording is. Fifty slots are a column of a heat map; columns have round lengths: tenths of seconds,
 * seconds, minutes. Slots and columns begin at multiples of their length on the recording's clock.
 *
 * A timeline that thins keeps its slots short instead: entries then stand for one of each so many samples, chosen by chance, and the
 * number of all samples in each slot is kept beside them.
 *
 *     struct timeline *timeline = timeline_create(1 << 20);
 *     timeline_add(timeline, time_ns, sample, weight);                for each sample
 *     timeline_finish(timeline, 100000);
 *     for (size_t i = 0; i < timeline_count(timeline); i++)
 *             draw(timeline_at(timeline, i));
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
/*
 * Slots become no longer than 20 ms for the number of entries, and no longer than at most `most_columns` columns ask for; of too many
 * entries a part is left out, of whatever sample.
 */
struct timeline *timeline_create_thinning(size_t most_entries, uint64_t most_columns);
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

/* Of a timeline that thins, after timeline_finish(): leaves out entries until there are at most so many. */
void timeline_thin(struct timeline *timeline, size_t most_entries);

/* An entry stands for one of so many samples; its own count and weight are of those that were kept. 1: all were. */
uint32_t timeline_every(const struct timeline *timeline);

/*
 * Of a timeline that thins: how many samples there were in each slot, from *first_slot on. Lives as long as the timeline is not
 * changed. Of another one NULL, with a count of 0.
 */
const uint32_t *timeline_slot_counts(const struct timeline *timeline, uint64_t *first_slot, size_t *count);

size_t timeline_count(const struct timeline *timeline);
const struct timeline_entry *timeline_at(const struct timeline *timeline, size_t number);
uint64_t timeline_slot_ns(const struct timeline *timeline);

#endif
