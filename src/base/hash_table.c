/*
 * The table probes linearly over slots of eight bytes: the upper half of a hash, and an item number. The position comes from
 * the stored half, so growing never calls back to the caller; grow_to() moves the slots within one reallocated array, and its
 * comment says why that is safe.
 */
#include "base/hash_table.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"

enum {
	FIRST_CAPACITY = 16,
	LARGEST_CAPACITY = 1 << 30, /* times eight bytes; items are numbered with 32 bits */
};

void hash_table_init(struct hash_table *table)
{
	*table = (struct hash_table){ 0 };
}

void hash_table_fini(struct hash_table *table)
{
	free(table->slots);
	hash_table_init(table);
}

/* Every byte of HASH_TABLE_NONE is 0xff, so free slots can be written with memset(). */
static_assert(HASH_TABLE_NONE == 0xffffffff, "free slots are filled bytewise");

void hash_table_clear(struct hash_table *table)
{
	if (table->slots)
		memset(table->slots, 0xff, table->capacity * sizeof(*table->slots));
	table->used = 0;
}

/*
 * Linear probing. The position comes from the stored upper half of the hash, so
 * that growing needs neither the items nor their full hashes.
 */
uint32_t hash_table_find(const struct hash_table *table, uint64_t hash, hash_table_equal *equal,
			 const void *items, const void *key)
{
	uint32_t upper = (uint32_t)(hash >> 32);
	uint32_t mask = table->capacity - 1;
	uint32_t position;

	if (!table->capacity)
		return HASH_TABLE_NONE;
	for (position = upper & mask;; position = (position + 1) & mask) {
		const struct hash_slot *slot = &table->slots[position];

		if (slot->item == HASH_TABLE_NONE)
			return HASH_TABLE_NONE;
		if (slot->hash == upper && equal(items, slot->item, key))
			return slot->item;
	}
}

uint32_t hash_table_peek(const struct hash_table *table, uint64_t hash)
{
	const uint32_t upper = (uint32_t)(hash >> 32), mask = table->capacity - 1;

	if (!table->capacity)
		return HASH_TABLE_NONE;
	for (uint32_t position = upper & mask;; position = (position + 1) & mask) {
		const struct hash_slot *slot = &table->slots[position];

		if (slot->item == HASH_TABLE_NONE || slot->hash == upper)
			return slot->item;
	}
}

static void place(struct hash_slot *slots, uint32_t capacity, struct hash_slot slot)
{
	uint32_t mask = capacity - 1;
	uint32_t position = slot.hash & mask;

	while (slots[position].item != HASH_TABLE_NONE)
		position = (position + 1) & mask;
	slots[position] = slot;
}

/* No probe sequence crosses a free slot. So from here on, and around to here, items are in the order of their probing. */
static uint32_t first_free(const struct hash_table *table)
{
	uint32_t position = 0;

	while (table->slots[position].item != HASH_TABLE_NONE)
		position++;
	return position;
}

/*
 * Grows in place with realloc(): in a copy, half of the pages would be touched for the first time. In the larger table, an item
 * belongs into its old slot, or into the same slot of another part of the old size. Items are moved in their order. So each part
 * has only items that preceded this one, and is filled at most up to this item's own slot: no item is placed behind one that is
 * moved later.
 */
static void grow_to(struct hash_table *table, uint32_t capacity)
{
	const uint32_t old = table->capacity;
	const uint32_t free_slot = old ? first_free(table) : 0;

	table->slots = xrealloc(table->slots, capacity * sizeof(*table->slots));
	memset(table->slots + old, 0xff, (capacity - old) * sizeof(*table->slots));
	table->capacity = capacity;
	for (uint32_t i = 1; i <= old; i++) {
		struct hash_slot *slot = &table->slots[(free_slot + i) & (old - 1)];
		const struct hash_slot moved = *slot;

		if (moved.item == HASH_TABLE_NONE)
			continue;
		slot->item = HASH_TABLE_NONE;
		place(table->slots, capacity, moved);
	}
}

/* At most two thirds full: a miss then probes about five slots. */
static uint32_t most_items(uint32_t capacity)
{
	return capacity / 3 * 2;
}

void hash_table_insert(struct hash_table *table, uint64_t hash, uint32_t item)
{
	if (table->used >= most_items(table->capacity)) {
		if (table->capacity < LARGEST_CAPACITY)
			grow_to(table, table->capacity ? table->capacity * 2 : FIRST_CAPACITY);
		else if (table->used >= table->capacity - 1)
			abort(); /* a billion items: the caller's arrays would have run out of memory long before */
	}
	place(table->slots, table->capacity,
	      (struct hash_slot){ .hash = (uint32_t)(hash >> 32), .item = item });
	table->used++;
}

uint64_t hash_bytes(const void *bytes, size_t size)
{
	const unsigned char *next = bytes;
	uint64_t hash = size;
	uint64_t word = 0;

	for (; size >= sizeof(word); size -= sizeof(word), next += sizeof(word)) {
		memcpy(&word, next, sizeof(word));
		hash = hash_combine(hash, word);
	}
	word = 0;
	if (size)
		memcpy(&word, next, size);
	return hash_combine(hash, word);
}
