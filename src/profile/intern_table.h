#ifndef XPROF_PROFILE_INTERN_TABLE_H
#define XPROF_PROFILE_INTERN_TABLE_H

/*
 * An array of distinct items in order of first appearance, with an index. Equal items have the same number;
 * numbers are dense, start at 0 and never change.
 */

#include <stdint.h>

#include "base/hash_table.h"

struct intern_table {
	void *items; /* moves as the table grows: keep numbers, not pointers */
	size_t count;
	size_t capacity;
	size_t item_size_bytes;
	hash_table_equal *equal; /* gets `items`, a number, and the item looked for */
	struct hash_table index;
};

void intern_table_init(struct intern_table *table, size_t item_size_bytes, hash_table_equal *equal);
void intern_table_fini(struct intern_table *table);

/* Allocates memory for about `count` items at once. */
void intern_table_reserve(struct intern_table *table, size_t count);

/* The number of the item equal to `item`; adds a copy if there is none. */
uint32_t intern_table_add(struct intern_table *table, uint64_t hash, const void *item);

/* Prefetch hints, to be given in this order well before the lookup; see hash_table_prefetch(). */
static inline void intern_table_prefetch(const struct intern_table *table, uint64_t hash)
{
	hash_table_prefetch(&table->index, hash);
}
void intern_table_prefetch_item(const struct intern_table *table, uint64_t hash);

/* Ends lookups: the items stay, the memory of the index is freed. */
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
