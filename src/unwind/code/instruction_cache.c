/* Decoded instructions by their bytes, see instruction_cache.h. */

#include "unwind/code/instruction_cache.h"

#include <stdlib.h>
#include <string.h>

#include "base/hash_table.h"
#include "base/xalloc.h"

enum {
	/* A power of two; 3 MiB if all are used. A quarter of them loses as many instructions as are new. */
	ENTRIES = 16384,
	CACHE_LINE_BYTES = 64,
	KEY_BYTES = 16, /* no instruction is longer: 15 bytes at most on x86, 4 on aarch64 */
};

/* The first cache line of an entry has all that counts of most instructions: up to three effects. */
struct entry {
	_Alignas(CACHE_LINE_BYTES) uint8_t bytes[KEY_BYTES];
	struct code_instruction instruction; /* size_bytes 0: the entry is empty */
};

struct instruction_cache {
	const struct unwind_arch *arch;
	struct code_instruction uncached; /* near the end of the bytes */
	uint8_t *room;
	struct entry *entries; /* in it */
};

struct instruction_cache *instruction_cache_create(const struct unwind_arch *arch)
{
	struct instruction_cache *cache = xcalloc(1, sizeof(*cache));

	cache->arch = arch;
	cache->room = xcalloc(ENTRIES + 1, sizeof(*cache->entries));
	cache->entries = (struct entry *)(cache->room + (-(uintptr_t)cache->room & (CACHE_LINE_BYTES - 1)));
	return cache;
}

void instruction_cache_destroy(struct instruction_cache *cache)
{
	if (!cache)
		return;
	free(cache->room);
	free(cache);
}

/* The place does not matter: bytes decide. How long the instruction is shows only when it is decoded, so eight count. */
static struct entry *entry_of(struct instruction_cache *cache, const uint8_t *bytes)
{
	uint64_t first;

	memcpy(&first, bytes, sizeof(first));
	return &cache->entries[hash_u64(first) % ENTRIES];
}

const struct code_instruction *instruction_cache_read(struct instruction_cache *cache, const uint8_t *bytes,
						      size_t size)
{
	struct entry *entry;
	size_t length;

	if (size < KEY_BYTES)
		return cache->arch->read_instruction(bytes, size, &cache->uncached) ? &cache->uncached : NULL;
	entry = entry_of(cache, bytes);
	length = entry->instruction.size_bytes;
	if (length && memcmp(entry->bytes, bytes, length) == 0)
		return &entry->instruction;
	if (!cache->arch->read_instruction(bytes, size, &cache->uncached))
		return NULL;
	if (cache->uncached.size_bytes <= KEY_BYTES) {
		memcpy(entry->bytes, bytes, KEY_BYTES);
		entry->instruction = cache->uncached;
	}
	return &cache->uncached;
}
