/* An open-addressed table of words of 64 offsets each, found by the offset's upper bits; it doubles when half full. */
#include "unwind/code/offset_set.h"

#include <stdlib.h>

#include "base/hash_table.h"
#include "base/xalloc.h"

enum { OFFSETS_OF_WORD = 64, FIRST_CAPACITY = 32 };

struct offset_word {
	size_t number; /* offset / OFFSETS_OF_WORD */
	uint64_t bits; /* 0: the slot is free */
};

void offset_set_fini(struct offset_set *set)
{
	free(set->words);
}

/* Returns the word's slot, or the free one that it would take; a free one always exists. */
static struct offset_word *slot_of(const struct offset_set *set, size_t number)
{
	size_t slot = (size_t)hash_u64(number) & (set->capacity - 1);

	while (set->words[slot].bits && set->words[slot].number != number)
		slot = (slot + 1) & (set->capacity - 1);
	return &set->words[slot];
}

static void grow(struct offset_set *set)
{
	const struct offset_set before = *set;

	set->capacity = before.capacity ? 2 * before.capacity : FIRST_CAPACITY;
	set->words = xcalloc(set->capacity, sizeof(*set->words));
	for (size_t i = 0; i < before.capacity; i++)
		if (before.words[i].bits)
			*slot_of(set, before.words[i].number) = before.words[i];
	free(before.words);
}

static uint64_t bit_of(size_t offset)
{
	return (uint64_t)1 << offset % OFFSETS_OF_WORD;
}

bool offset_set_add(struct offset_set *set, size_t offset)
{
	struct offset_word *word;
	bool is_new;

	if (2 * set->count >= set->capacity)
		grow(set);
	word = slot_of(set, offset / OFFSETS_OF_WORD);
	word->number = offset / OFFSETS_OF_WORD;
	set->count += word->bits == 0;
	is_new = !(word->bits & bit_of(offset));
	word->bits |= bit_of(offset);
	return is_new;
}

bool offset_set_has(const struct offset_set *set, size_t offset)
{
	return set->capacity && slot_of(set, offset / OFFSETS_OF_WORD)->bits & bit_of(offset);
}
