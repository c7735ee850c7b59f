/* The caller gives the hash and the equality; the table keeps the items in one array and their numbers in a hash table. */
#include "profile/intern_table.h"

#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"

void intern_table_init(struct intern_table *table, size_t item_size_bytes, hash_table_equal *equal)
{
	*table = (struct intern_table){ .item_size_bytes = item_size_bytes, .equal = equal };
	hash_table_init(&table->index);
}

void intern_table_fini(struct intern_table *table)
{
	hash_table_fini(&table->index);
	free(table->items);
	table->items = NULL;
	table->count = table->capacity = 0;
}

void intern_table_reserve(struct intern_table *table, size_t count)
{
	table->items = array_grow(table->items, &table->capacity, count, table->item_size_bytes);
	hash_table_reserve(&table->index, count);
}

void intern_table_drop_index(struct intern_table *table)
{
	hash_table_fini(&table->index);
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

void intern_table_prefetch_item(const struct intern_table *table, uint64_t hash)
{
	const uint32_t likely = hash_table_peek(&table->index, hash);

	if (likely != HASH_TABLE_NONE)
		__builtin_prefetch((const char *)table->items + likely * table->item_size_bytes, 1);
}

uint32_t intern_table_find(const struct intern_table *table, uint64_t hash, const void *item)
{
	return hash_table_find(&table->index, hash, table->equal, table->items, item);
}

static uint32_t append(struct intern_table *table, uint64_t hash, const void *item)
{
	uint32_t number = (uint32_t)table->count;

	table->items = array_grow(table->items, &table->capacity, table->count + 1, table->item_size_bytes);
	memcpy((char *)table->items + table->count * table->item_size_bytes, item, table->item_size_bytes);
	table->count++;
	hash_table_insert(&table->index, hash, number);
	return number;
}

uint32_t intern_table_add(struct intern_table *table, uint64_t hash, const void *item)
{
	uint32_t number = intern_table_find(table, hash, item);

	return number != HASH_TABLE_NONE ? number : append(table, hash, item);
}
