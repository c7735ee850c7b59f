/* Decoded instructions by their bytes, see instruction_cache.h. */

#include "unwind/code/instruction_cache.h"

#include <stdlib.h>
#include <string.h>

#include "base/hash_table.h"
#include "base/xalloc.h"

enum {
	ENTRIES = 4096, /* a power of two; 600 KiB, as much as the larger second-level caches hold */
	KEY_BYTES = 16, /* no instruction is longer: 15 bytes at most on x86, 4 on aarch64 */
};

struct entry {
	uint8_t bytes[KEY_BYTES];
	struct code_instruction instruction; /* size_bytes 0: the entry is empty */
};

struct instruction_cache {
	const struct unwind_arch *arch;
	struct entry entries[ENTRIES];
	struct code_instruction uncached; /* near the end of the bytes */
};

struct instruction_cache *instruction_cache_create(const struct unwind_arch *arch)
{
	struct instruction_cache *cache = xcalloc(1, sizeof(*cache));

	cache->arch = arch;
	return cache;
}

void instruction_cache_destroy(struct instruction_cache *cache)
{
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
