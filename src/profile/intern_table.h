#ifndef XPROF_PROFILE_INTERN_TABLE_H
#define XPROF_PROFILE_INTERN_TABLE_H

/*
 * An array of distinct items in order of first appearance, with an index. Equal items have the same number;
 * numbers are dense, start at 0 and never change. The index takes 4 bytes for an item's hash and 6 to 9 for its slot, half of
 * what base/hash_table needs, because profiles have millions of items.
 */

#include <stdint.h>

#include "base/hash_table.h"

struct intern_table {
	void *items; /* moves as the table grows: keep numbers, not pointers */
	size_t count;
	size_t capacity;
	size_t item_size_bytes;
	hash_table_equal *equal; /* gets `items`, a number, and the item looked for */

	uint32_t *hashes; /* by number: the upper half of the item's hash */
	uint32_t *slots;  /* an item's number in the low `number_bits`, and above it bits of its hash */
	uint32_t slot_count;
	uint32_t room; /* number of items for which `hashes` and `slots` have room */
	unsigned int number_bits;
};

void intern_table_init(struct intern_table *table, size_t item_size_bytes, hash_table_equal *equal);
void intern_table_fini(struct intern_table *table);

/* Allocates memory for about `count` items at once. */
void intern_table_reserve(struct intern_table *table, size_t count);

/* The number of the item equal to `item`; adds a copy if there is none. */
uint32_t intern_table_add(struct intern_table *table, uint64_t hash, const void *item);

/* The upper half of the hash with which an item was added. */
static inline uint32_t intern_table_hash(const struct intern_table *table, uint32_t number)
{
	return table->hashes[number];
}

/* The first slot in which an item with this upper half of its hash may be. */
static inline uint32_t intern_table_slot(const struct intern_table *table, uint32_t upper)
{
	return (uint32_t)((uint64_t)upper * table->slot_count >> 32);
}

/* Prefetch hints, to be given in this order well before the lookup; see hash_table_prefetch(). */
static inline void intern_table_prefetch(const struct intern_table *table, uint64_t hash)
{
	if (table->slot_count)
		__builtin_prefetch(&table->slots[intern_table_slot(table, (uint32_t)(hash >> 32))]);
}
void intern_table_prefetch_item(const struct intern_table *table, uint64_t hash);

/* Removes all items; the memory stays for others. */
void intern_table_clear(struct intern_table *table);

/* Ends lookups and additions: the items stay, the memory of the index is freed. */
void intern_table_drop_index(struct intern_table *table);

/*
 * Moves all items of `other` to `table`, which must be empty. `other` is empty afterwards; `table` has no
 * index, so lookups find nothing.
 */
void intern_table_take(struct intern_table *table, struct intern_table *other);

/* After intern_table_take(): adds items without a value up to `count`. */
void intern_table_widen(struct intern_table *table, size_t count);

/* The number of the item equal to `item`; UINT32_MAX if there is none. */
uint32_t intern_table_find(const struct intern_table *table, uint64_t hash, const void *item);

#endif
