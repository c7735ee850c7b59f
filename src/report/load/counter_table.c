/* An array of last values, and a hash table that finds a counter's place in it by the sample id. */
#include "report/load/counter_table.h"

#include <stdlib.h>

#include "base/hash_table.h"
#include "base/xalloc.h"

struct counter {
	uint64_t id;
	uint64_t value;
};

struct counter_table {
	struct counter *counters;
	size_t count, capacity;
	struct hash_table by_id;
};

struct counter_table *counter_table_create(void)
{
	struct counter_table *table = xcalloc(1, sizeof(*table));

	hash_table_init(&table->by_id);
	return table;
}

void counter_table_destroy(struct counter_table *table)
{
	if (!table)
		return;
	hash_table_fini(&table->by_id);
	free(table->counters);
	free(table);
}

static bool same_id(const void *items, uint32_t item, const void *key)
{
	const struct counter *counters = items;
	const uint64_t *id = key;

	return counters[item].id == *id;
}

uint64_t counter_table_advance(struct counter_table *table, uint64_t id, uint64_t value)
{
	uint32_t found = hash_table_find(&table->by_id, hash_u64(id), same_id, table->counters, &id);
	uint64_t advance;

	if (found == HASH_TABLE_NONE) {
		found = (uint32_t)table->count++;
		table->counters =
			array_grow(table->counters, &table->capacity, table->count, sizeof(*table->counters));
		table->counters[found] = (struct counter){ .id = id };
		hash_table_insert(&table->by_id, hash_u64(id), found);
	}
	advance = value - table->counters[found].value;
	table->counters[found].value = value;
	return advance;
}
