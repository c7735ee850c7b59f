/*
 * A hash table over an array of entries, and a buffer for the chains in the keys. Single entries are not replaced: when it
 * is full, the table is emptied. The buffer stays, because clearing its pages anew would take longer than filling them.
 */
#include "report/load/stack_memo.h"

#include <stdlib.h>
#include <string.h>

#include "base/hash_table.h"
#include "base/xalloc.h"

enum {
	/* Enough for one phase of a busy system. Beyond that, emptying the table costs less than memory. */
	MAX_CHAIN_BYTES = 16 * 1024 * 1024,
	MAX_ENTRIES = 256 * 1024,
};

struct entry {
	struct stack_key key; /* its chain is in the arena */
	struct stack_result result;
};

struct stack_memo {
	struct entry *entries;
	size_t count, capacity;
	struct hash_table by_key;
	uint8_t *chains; /* MAX_CHAIN_BYTES */
	size_t chain_bytes;
};

struct stack_memo *stack_memo_create(void)
{
	struct stack_memo *memo = xcalloc(1, sizeof(*memo));

	hash_table_init(&memo->by_key);
	memo->chains = xmalloc(MAX_CHAIN_BYTES);
	return memo;
}

void stack_memo_destroy(struct stack_memo *memo)
{
	if (!memo)
		return;
	hash_table_fini(&memo->by_key);
	free(memo->chains);
	free(memo->entries);
	free(memo);
}

static bool same_key(const void *items, uint32_t item, const void *wanted)
{
	const struct entry *entries = items;
	const struct stack_key *a = &entries[item].key, *b = wanted;

	return a->ip == b->ip && a->cpumode == b->cpumode && a->event == b->event &&
	       a->has_dump == b->has_dump && a->chain_bytes == b->chain_bytes &&
	       process_state_equal(&a->state, &b->state) &&
	       (!a->chain_bytes || memcmp(a->chain, b->chain, a->chain_bytes) == 0);
}

uint64_t stack_memo_hash(const struct stack_key *key)
{
	uint64_t hash = hash_bytes(key->chain, key->chain_bytes);

	hash = hash_combine(hash, key->ip);
	hash = hash_combine(hash, (uint64_t)key->state.process << 32 | key->state.process_changes);
	hash = hash_combine(hash, (uint64_t)key->state.kernel_changes << 32 | key->state.version);
	return hash_combine(hash, (uint64_t)key->event << 32 | (uint64_t)key->cpumode << 1 | key->has_dump);
}

void stack_memo_prefetch(const struct stack_memo *memo, uint64_t hash)
{
	hash_table_prefetch(&memo->by_key, hash);
}

void stack_memo_prefetch_entry(const struct stack_memo *memo, uint64_t hash)
{
	const uint32_t likely = hash_table_peek(&memo->by_key, hash);

	if (likely != HASH_TABLE_NONE)
		__builtin_prefetch(&memo->entries[likely]);
}

int stack_memo_find(const struct stack_memo *memo, const struct stack_key *key, uint64_t hash,
		    struct stack_result *result)
{
	const uint32_t found = hash_table_find(&memo->by_key, hash, same_key, memo->entries, key);

	if (found == HASH_TABLE_NONE)
		return 0;
	*result = memo->entries[found].result;
	return 1;
}

void stack_memo_add(struct stack_memo *memo, const struct stack_key *key, uint64_t hash,
		    struct stack_result result)
{
	struct entry *entry;

	if (key->chain_bytes > MAX_CHAIN_BYTES)
		return;
	if (memo->count >= MAX_ENTRIES || key->chain_bytes > MAX_CHAIN_BYTES - memo->chain_bytes) {
		hash_table_clear(&memo->by_key);
		memo->count = memo->chain_bytes = 0;
	}
	memo->entries = array_grow(memo->entries, &memo->capacity, memo->count + 1, sizeof(*memo->entries));
	entry = &memo->entries[memo->count];
	*entry = (struct entry){ .key = *key, .result = result };
	entry->key.chain = memo->chains + memo->chain_bytes;
	if (key->chain_bytes)
		memcpy(memo->chains + memo->chain_bytes, key->chain, key->chain_bytes);
	memo->chain_bytes += key->chain_bytes;
	hash_table_insert(&memo->by_key, hash, (uint32_t)memo->count++);
}
