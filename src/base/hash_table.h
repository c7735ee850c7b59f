#ifndef XPROF_BASE_HASH_TABLE_H
#define XPROF_BASE_HASH_TABLE_H

/*
 * An open-addressed index over items in an array of the caller: maps a 64-bit hash to the item's number. The
 * caller supplies the comparison, so the table knows nothing of the items, and growing moves none of them.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define HASH_TABLE_NONE UINT32_MAX

struct hash_slot {
	uint32_t hash; /* upper half of the caller's hash; avoids most comparisons */
	uint32_t item; /* HASH_TABLE_NONE when the slot is free */
};

struct hash_table {
	struct hash_slot *slots;
	uint32_t capacity; /* 0 or a power of two */
	uint32_t used;
};

/* Does item number `item` equal `key`? `items` is the argument of hash_table_find(). */
typedef bool hash_table_equal(const void *items, uint32_t item, const void *key);

/* Only for storage that is not zeroed: zero bytes are an empty table. */
void hash_table_init(struct hash_table *table);
void hash_table_fini(struct hash_table *table);
void hash_table_clear(struct hash_table *table);

/* The number of the item that equals `key`, or HASH_TABLE_NONE. */
uint32_t hash_table_find(const struct hash_table *table, uint64_t hash, hash_table_equal *equal,
			 const void *items, const void *key);

/*
 * Two hints for a caller that looks up many items and does other work meanwhile. The first prefetches the
 * slot; the second, called some time later, returns the item that is most likely equal, so that the caller
 * can prefetch it, too.
 */
static inline void hash_table_prefetch(const struct hash_table *table, uint64_t hash)
{
	if (table->capacity)
		__builtin_prefetch(&table->slots[(uint32_t)(hash >> 32) & (table->capacity - 1)]);
}
uint32_t hash_table_peek(const struct hash_table *table, uint64_t hash);

/* Adds an item, which must not be in the table yet. */
void hash_table_insert(struct hash_table *table, uint64_t hash, uint32_t item);

/* A fast hash that mixes well. It does not resist deliberate collisions. */
uint64_t hash_bytes(const void *bytes, size_t size);
static inline uint64_t hash_u64(uint64_t value)
{
	value ^= value >> 32;
	value *= 0xd6e8feb86659fd93u;
	value ^= value >> 32;
	value *= 0xd6e8feb86659fd93u;
	return value ^ (value >> 32);
}
static inline uint64_t hash_combine(uint64_t hash, uint64_t value)
{
	return hash_u64(hash * 0x9e3779b97f4a7c15u + value);
}

#endif
