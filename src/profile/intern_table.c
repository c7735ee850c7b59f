/*
 * The index probes linearly. The position comes from the upper bits of an item's 32 bits of hash; its lower bits fill up the slot,
 * so that nearly all other items are told apart without a look at them. To grow, the slots are thrown away and filled anew from the
 * hashes.
 */
#include "profile/intern_table.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"

enum {
	FIRST_SLOTS = 16,
	LARGE_SLOTS = 1 << 20, /* from here on memory matters more than how often slots are filled anew */
	FREE_SLOT =
		HASH_TABLE_NONE, /* no item: a number with all bits set is greater than that of any item */
};

static const uint32_t MOST_SLOTS = UINT32_C(1) << 30;

void intern_table_init(struct intern_table *table, size_t item_size_bytes, hash_table_equal *equal)
{
	*table = (struct intern_table){ .item_size_bytes = item_size_bytes, .equal = equal };
}

void intern_table_drop_index(struct intern_table *table)
{
	free(table->hashes);
	free(table->slots);
	table->hashes = table->slots = NULL;
	table->slot_count = table->room = 0;
}

void intern_table_fini(struct intern_table *table)
{
	intern_table_drop_index(table);
	free(table->items);
	table->items = NULL;
	table->count = table->capacity = 0;
}

void intern_table_clear(struct intern_table *table)
{
	table->count = 0;
	if (table->slots)
		memset(table->slots, 0xff, table->slot_count * sizeof(*table->slots)); /* FREE_SLOT */
}

void intern_table_take(struct intern_table *table, struct intern_table *other)
{
	intern_table_fini(table);
	intern_table_drop_index(other);
	*table = *other;
	intern_table_init(other, table->item_size_bytes, table->equal);
}

void intern_table_widen(struct intern_table *table, size_t count)
{
	table->items = array_grow(table->items, &table->capacity, count, table->item_size_bytes);
	table->count = count;
}

/* --- the index ---------------------------------------------------------------- */

/* At most two thirds full: a miss then probes about five slots. */
static uint32_t most_items(uint32_t slot_count)
{
	return slot_count / 3 * 2;
}

static uint32_t next_slot(const struct intern_table *table, uint32_t position)
{
	return position + 1 == table->slot_count ? 0 : position + 1;
}

/* `table` is a copy, so that the compiler knows that slots are no members of it. */
static inline void place(const struct intern_table table, uint32_t number)
{
	const uint32_t upper = table.hashes[number];
	uint32_t position = intern_table_slot(&table, upper);

	while (table.slots[position] != FREE_SLOT)
		position = next_slot(&table, position);
	table.slots[position] = upper << table.number_bits | number;
}

static void make_slots(struct intern_table *table, uint32_t slot_count)
{
	free(table->slots);
	table->slots = xmalloc(slot_count * sizeof(*table->slots));
	memset(table->slots, 0xff, slot_count * sizeof(*table->slots)); /* FREE_SLOT */
	table->slot_count = slot_count;
	table->room = most_items(slot_count);
	table->hashes = xrealloc(table->hashes, table->room * sizeof(*table->hashes));
	table->number_bits = 32 - (unsigned int)__builtin_clz(slot_count - 1);
	for (uint32_t number = 0; number < table->count; number++)
		place(*table, number);
}

static void make_room(struct intern_table *table, size_t count)
{
	uint32_t slot_count = table->slot_count ? table->slot_count : FIRST_SLOTS;

	while (most_items(slot_count) < count) {
		if (slot_count >= MOST_SLOTS)
			abort(); /* a billion items: the caller's arrays would have run out of memory long before */
		slot_count += slot_count < LARGE_SLOTS ? slot_count : slot_count / 2;
	}
	if (slot_count > table->slot_count)
		make_slots(table, slot_count);
}

void intern_table_reserve(struct intern_table *table, size_t count)
{
	table->items = array_grow(table->items, &table->capacity, count, table->item_size_bytes);
	make_room(table, count);
}

/* --- lookups ------------------------------------------------------------------ */

/*
 * The number of the first item at or behind `*position` that has these bits of a hash, and its position; HASH_TABLE_NONE behind the
 * last of them.
 */
static inline uint32_t next_likely(const struct intern_table *table, uint32_t bits, uint32_t *position)
{
	const uint32_t mask = (UINT32_C(1) << table->number_bits) - 1; /* greater than any number */

	for (;; *position = next_slot(table, *position)) {
		const uint32_t slot = table->slots[*position];

		if (slot - bits < mask)
			return slot - bits;
		if (slot == FREE_SLOT)
			return HASH_TABLE_NONE;
	}
}

uint32_t intern_table_find(const struct intern_table *table, uint64_t hash, const void *item)
{
	const uint32_t upper = (uint32_t)(hash >> 32), bits = upper << table->number_bits;
	uint32_t position = intern_table_slot(table, upper), number;

	if (!table->slot_count)
		return HASH_TABLE_NONE;
	for (;; position = next_slot(table, position)) {
		number = next_likely(table, bits, &position);
		if (number == HASH_TABLE_NONE || table->equal(table->items, number, item))
			return number;
	}
}

void intern_table_prefetch_item(const struct intern_table *table, uint64_t hash)
{
	const uint32_t upper = (uint32_t)(hash >> 32);
	uint32_t position = intern_table_slot(table, upper), likely;

	if (!table->slot_count)
		return;
	likely = next_likely(table, upper << table->number_bits, &position);
	if (likely != HASH_TABLE_NONE)
		__builtin_prefetch((const char *)table->items + likely * table->item_size_bytes, 1);
}

static uint32_t append(struct intern_table *table, uint64_t hash, const void *item)
{
	const uint32_t number = (uint32_t)table->count;

	assert(table->hashes || !table->count); /* see intern_table_drop_index() */
	if (table->count >= table->room)
		make_room(table, table->count + 1);
	table->items = array_grow(table->items, &table->capacity, table->count + 1, table->item_size_bytes);
	memcpy((char *)table->items + table->count * table->item_size_bytes, item, table->item_size_bytes);
	table->hashes[number] = (uint32_t)(hash >> 32);
	place(*table, number);
	table->count++;
	return number;
}

uint32_t intern_table_add(struct intern_table *table, uint64_t hash, const void *item)
{
	const uint32_t number = intern_table_find(table, hash, item);

	return number != HASH_TABLE_NONE ? number : append(table, hash, item);
}
