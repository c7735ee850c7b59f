/*
 * An arena holds the texts, an array maps numbers to them, and a hash table finds the number of a text. Only the array ever
 * moves, which is why callers may keep pointers to the texts.
 */
#include "base/str_pool.h"

#include <assert.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/hash_table.h"
#include "base/xalloc.h"

struct pooled {
	const char *text; /* NUL-terminated, in the pool's arena */
	size_t length;
};

struct str_pool {
	struct arena arena;
	struct hash_table index;
	struct pooled *texts; /* by number */
	size_t count;
	size_t capacity;
};

static bool pooled_equal(const void *items, uint32_t item, const void *key)
{
	const struct str_pool *pool = items;
	const struct pooled *a = &pool->texts[item], *b = key;

	return a->length == b->length && memcmp(a->text, b->text, a->length) == 0;
}

struct str_pool *str_pool_create(void)
{
	struct str_pool *pool = xcalloc(1, sizeof(*pool));

	str_pool_add_n(pool, "", 0);
	return pool;
}

void str_pool_destroy(struct str_pool *pool)
{
	if (!pool)
		return;
	arena_fini(&pool->arena);
	hash_table_fini(&pool->index);
	free(pool->texts);
	free(pool);
}

uint32_t str_pool_add(struct str_pool *pool, const char *text)
{
	return str_pool_add_n(pool, text, strlen(text));
}

static const char *keep(struct str_pool *pool, const char *bytes, size_t length)
{
	char *text = arena_alloc(&pool->arena, length + 1);

	memcpy(text, bytes, length);
	text[length] = '\0';
	return text;
}

uint32_t str_pool_add_n(struct str_pool *pool, const char *bytes, size_t length)
{
	/* `bytes` may be NULL if `length` is 0. */
	struct pooled key = { .text = length ? bytes : "", .length = length };
	uint64_t hash = hash_bytes(key.text, length);
	uint32_t number = hash_table_find(&pool->index, hash, pooled_equal, pool, &key);

	if (number != HASH_TABLE_NONE)
		return number;
	number = (uint32_t)pool->count;
	*ARRAY_ADD(pool->texts, pool->count, pool->capacity) =
		(struct pooled){ .text = keep(pool, key.text, length), .length = length };
	hash_table_insert(&pool->index, hash, number);
	return number;
}

uint32_t str_pool_find(const struct str_pool *pool, const char *text)
{
	struct pooled key = { .text = text, .length = strlen(text) };

	static_assert(HASH_TABLE_NONE == UINT32_MAX, "not found is UINT32_MAX in both interfaces");
	return hash_table_find(&pool->index, hash_bytes(text, key.length), pooled_equal, pool, &key);
}

const char *str_pool_text(const struct str_pool *pool, uint32_t number)
{
	return pool->texts[number].text;
}

uint32_t str_pool_count(const struct str_pool *pool)
{
	return (uint32_t)pool->count;
}
