#ifndef XPROF_PROFILE_INTERN_TABLE_H
#define XPROF_PROFILE_INTERN_TABLE_H

/*
 * Distinct items of one kind in the order of their first appearance: an array
 * plus an index over it. Equal items get the same number, numbers are dense and
 * start at 0, and an item never changes its number.
 */

#include <stdint.h>

#include "base/hash_table.h"

struct intern_table {
	void *items; /* moves when it grows: keep numbers, not pointers */
	size_t count;
	size_t capacity;
	size_t item_size_bytes;
	hash_table_equal *equal; /* gets `items`, a number, and the item looked for */
	struct hash_table index;
};

void intern_table_init(struct intern_table *table, size_t item_size_bytes, hash_table_equal *equal);
void intern_table_fini(struct intern_table *table);

/* Allocates memory for about so many items at once. */
void intern_table_reserve(struct intern_table *table, size_t count);

/* The number of the item equal to `item`, of which a copy is added when there is none. */
uint32_t intern_table_add(struct intern_table *table, uint64_t hash, const void *item);

/* Prefetch hints, to be given in this order well before the lookup; see hash_table_prefetch(). */
static inline void intern_table_prefetch(const struct intern_table *table, uint64_t hash)
{
	hash_table_prefetch(&table->index, hash);
}
void intern_table_prefetch_item(const struct intern_table *table, uint64_t hash);

/* Ends lookups: the items stay, the memory of the index is freed. */
void intern_table_drop_index(struct intern_table *table);

/* All items of `other`, which is empty afterwards; `table` is empty before, and finds nothing afterwards. */
void intern_table_take(struct intern_table *table, struct intern_table *other);

/* UINT32_MAX when there is none. */
uint32_t intern_table_find(const struct intern_table *table, uint64_t hash, const void *item);

#endif
