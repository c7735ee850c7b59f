/*
 * Entries are appended unsorted; when the room is used up, merge_equal() sorts and adds up equal ones, and coarsen() goes on
 * to the next slot length until half of the room is free. Each length is a multiple of the one before, so slots merge exactly.
 * A timeline that thins then tosses a coin for each sample that it kept, and from then on for each new one as often.
 */
#include "profile/timeline.h"

#include <stdbool.h>
#include <stdlib.h>

#include "base/hash_table.h"
#include "base/saturating.h"
#include "base/xalloc.h"
#include "profile/slot_counts.h"

#define NS_PER_MS UINT64_C(1000000)

/* Each is a multiple of the one before, so that slots can be merged, and a fiftieth of the column length in its comment. */
static const uint64_t slot_lengths_ns[] = {
	2 * NS_PER_MS,       /* a tenth of a second */
	20 * NS_PER_MS,      /* a second */
	200 * NS_PER_MS,     /* ten seconds */
	1200 * NS_PER_MS,    /* a minute */
	12000 * NS_PER_MS,   /* ten minutes */
	72000 * NS_PER_MS,   /* an hour */
	1728000 * NS_PER_MS, /* a day */
};
enum { LENGTHS = sizeof(slot_lengths_ns) / sizeof(*slot_lengths_ns) };

/* A recording that would have at most so many columns of the second length is too short for it. */
enum { FEWEST_COLUMNS = 3 };

enum { THINNED_LENGTH = 1 }; /* 20 ms */

struct timeline {
	struct timeline_entry *entries;
	size_t count, capacity, most_entries;
	size_t length; /* index of slot_lengths_ns */

	/* only of one that thins */
	bool thins;
	uint64_t most_columns;
	unsigned int halvings; /* each kept sample is one of 2^halvings */
	uint64_t tosses;       /* coins tossed so far: chance that is the same in each run */
	struct slot_counts slots;
};

struct timeline *timeline_create(size_t most_entries)
{
	struct timeline *timeline = xcalloc(1, sizeof(*timeline));

	timeline->most_entries = most_entries < 2 ? 2 : most_entries;
	return timeline;
}

struct timeline *timeline_create_thinning(size_t most_entries, uint64_t most_columns)
{
	struct timeline *timeline = timeline_create(most_entries);

	timeline->thins = true;
	timeline->most_columns = most_columns;
	return timeline;
}

void timeline_destroy(struct timeline *timeline)
{
	if (!timeline)
		return;
	free(timeline->entries);
	slot_counts_fini(&timeline->slots);
	free(timeline);
}

void timeline_clear(struct timeline *timeline)
{
	timeline->count = 0;
	timeline->length = 0;
	timeline->halvings = 0;
	slot_counts_fini(&timeline->slots);
}

static int by_slot_then_sample(const void *one, const void *other)
{
	const struct timeline_entry *a = one, *b = other;

	if (a->slot != b->slot)
		return a->slot < b->slot ? -1 : 1;
	return a->sample < b->sample ? -1 : a->sample > b->sample;
}

static void add_up(struct timeline_entry *sum, const struct timeline_entry *entry)
{
	if (__builtin_add_overflow(sum->count, entry->count, &sum->count))
		sum->count = UINT32_MAX;
	saturating_add(&sum->weight, entry->weight);
}

static void merge_equal(struct timeline *timeline)
{
	size_t kept = 0, i;

	if (!timeline->count)
		return;
	qsort(timeline->entries, timeline->count, sizeof(*timeline->entries), by_slot_then_sample);
	for (i = 1; i < timeline->count; i++) {
		if (by_slot_then_sample(&timeline->entries[kept], &timeline->entries[i]) == 0)
			add_up(&timeline->entries[kept], &timeline->entries[i]);
		else
			timeline->entries[++kept] = timeline->entries[i];
	}
	timeline->count = kept + 1;
}

static void coarsen(struct timeline *timeline)
{
	uint64_t factor = slot_lengths_ns[timeline->length + 1] / slot_lengths_ns[timeline->length];
	size_t i;

	timeline->length++;
	for (i = 0; i < timeline->count; i++)
		timeline->entries[i].slot /= factor;
	merge_equal(timeline);
	slot_counts_coarsen(&timeline->slots, factor);
}

/* So many of 64 coins that show heads, if `coins` has a 1 for each that is tossed. */
static unsigned int toss(struct timeline *timeline, uint64_t coins)
{
	return (unsigned int)__builtin_popcountll(hash_u64(++timeline->tosses) & coins);
}

/* How many of so many samples are kept if half of all are. */
static uint32_t halve(struct timeline *timeline, uint32_t count)
{
	uint32_t kept = 0;

	for (; count >= 64; count -= 64)
		kept += toss(timeline, UINT64_MAX);
	return kept + toss(timeline, (UINT64_C(1) << count) - 1);
}

static void thin_out(struct timeline *timeline)
{
	size_t left = 0;

	for (size_t i = 0; i < timeline->count; i++) {
		struct timeline_entry entry = timeline->entries[i];
		const uint32_t kept = halve(timeline, entry.count);

		if (!kept)
			continue;
		entry.weight = (uint64_t)((double)entry.weight * kept / entry.count);
		entry.count = kept;
		timeline->entries[left++] = entry;
	}
	timeline->count = left;
	timeline->halvings++;
}

static size_t count_different_samples(const struct timeline *timeline)
{
	size_t different = 0, end = 0, i;
	bool *seen;

	for (i = 0; i < timeline->count; i++)
		if (timeline->entries[i].sample >= end)
			end = (size_t)timeline->entries[i].sample + 1;
	seen = xcalloc(end + 1, sizeof(*seen));
	for (i = 0; i < timeline->count; i++) {
		different += !seen[timeline->entries[i].sample];
		seen[timeline->entries[i].sample] = true;
	}
	free(seen);
	return different;
}

/*
 * Slots of any length contain all different samples: if those are too many, the room grows with the profile.
 */
static void coarsen_into_half(struct timeline *timeline)
{
	const size_t different = count_different_samples(timeline);

	if (different > timeline->most_entries / 2)
		timeline->most_entries = 4 * different;
	while (timeline->count > timeline->most_entries / 2 && timeline->length + 1 < LENGTHS)
		coarsen(timeline);
}

static void thin_into_half(struct timeline *timeline)
{
	while (timeline->count > timeline->most_entries / 2)
		if (timeline->length < THINNED_LENGTH)
			coarsen(timeline);
		else
			thin_out(timeline);
}

/* Makes half of the room free, so that this does not happen with every new sample. */
static void make_room(struct timeline *timeline)
{
	merge_equal(timeline);
	if (timeline->thins)
		thin_into_half(timeline);
	else
		coarsen_into_half(timeline);
}

/* Counts a sample in its slot. Returns whether it is kept. */
static bool count_in_slot(struct timeline *timeline, uint64_t time_ns)
{
	const uint64_t most_slots = timeline->most_columns * TIMELINE_COLUMN_SLOTS;

	while (timeline->length + 1 < LENGTHS &&
	       slot_counts_with(&timeline->slots, time_ns / slot_lengths_ns[timeline->length]) > most_slots)
		coarsen(timeline);
	slot_counts_add(&timeline->slots, time_ns / slot_lengths_ns[timeline->length]);
	return toss(timeline, (UINT64_C(1) << timeline->halvings) - 1) == 0;
}

void timeline_add(struct timeline *timeline, uint64_t time_ns, uint32_t sample, uint64_t weight)
{
	uint64_t slot;

	if (timeline->thins && !count_in_slot(timeline, time_ns))
		return;
	if (timeline->count >= timeline->most_entries)
		make_room(timeline);
	if (timeline->count >= timeline->most_entries)
		return; /* too many samples on each of too many days */
	slot = time_ns / slot_lengths_ns[timeline->length];
	*ARRAY_ADD(timeline->entries, timeline->count, timeline->capacity) =
		(struct timeline_entry){ slot, sample, 1, weight };
}

void timeline_renumber(struct timeline *timeline, const uint32_t *numbers)
{
	size_t i;

	for (i = 0; i < timeline->count; i++)
		timeline->entries[i].sample = numbers[timeline->entries[i].sample];
}

/* The number of columns from the first slot to the last, if slots had this length; entries are in order. */
static uint64_t columns_of(const struct timeline *timeline, size_t length)
{
	uint64_t column_slots =
		TIMELINE_COLUMN_SLOTS * (slot_lengths_ns[length] / slot_lengths_ns[timeline->length]);
	uint64_t first = timeline->entries[0].slot / column_slots;

	return timeline->entries[timeline->count - 1].slot / column_slots - first + 1;
}

void timeline_finish(struct timeline *timeline, uint64_t most_columns)
{
	merge_equal(timeline);
	if (!timeline->count)
		return;
	if (timeline->length == 0 && columns_of(timeline, 1) > FEWEST_COLUMNS)
		coarsen(timeline);
	while (timeline->length + 1 < LENGTHS && columns_of(timeline, timeline->length) > most_columns)
		coarsen(timeline);
}

size_t timeline_count(const struct timeline *timeline)
{
	return timeline->count;
}

const struct timeline_entry *timeline_at(const struct timeline *timeline, size_t number)
{
	return &timeline->entries[number];
}

uint64_t timeline_slot_ns(const struct timeline *timeline)
{
	return slot_lengths_ns[timeline->length];
}

void timeline_thin(struct timeline *timeline, size_t most_entries)
{
	while (timeline->thins && timeline->count > most_entries)
		thin_out(timeline);
}

uint32_t timeline_every(const struct timeline *timeline)
{
	return UINT32_C(1) << timeline->halvings;
}

const uint32_t *timeline_slot_counts(const struct timeline *timeline, uint64_t *first_slot, size_t *count)
{
	*first_slot = timeline->slots.first;
	*count = timeline->slots.count;
	return timeline->slots.items;
}
