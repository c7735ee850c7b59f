/* Decoded instructions by their bytes, see instruction_cache.h. */

#include "unwind/code/instruction_cache.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash_table.h"
#include "base/xalloc.h"

enum {
	ENTRIES = 16384, /* a power of two; 1 MiB. A quarter would lose as many instructions as are new */
	CACHE_LINE_BYTES = 64,
	KEY_BYTES = 16,  /* no instruction is longer: 15 bytes at most on x86, 4 on aarch64 */
	MAX_EFFECTS = 3, /* enough for nearly all instructions; others are decoded each time */
	KEPT_BYTES = offsetof(struct code_instruction, effects) + MAX_EFFECTS * sizeof(struct code_effect),
};

/* An entry fills one cache line. */
struct entry {
	_Alignas(CACHE_LINE_BYTES) uint8_t bytes[KEY_BYTES];
	uint8_t instruction[KEPT_BYTES]; /* the beginning of a struct code_instruction; size_bytes 0: empty */
};

_Static_assert(sizeof(struct entry) == CACHE_LINE_BYTES, "an entry takes one cache line");

struct instruction_cache {
	const struct unwind_arch *arch;
	struct code_instruction instruction; /* the last one read */
	uint8_t *room;
	struct entry *entries; /* within `room`, aligned */
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

/*
 * The key is the bytes, not their address. The instruction's length is unknown until it is decoded, so the hash takes eight
 * bytes.
 */
static struct entry *entry_of(struct instruction_cache *cache, const uint8_t *bytes)
{
	uint64_t first;

	memcpy(&first, bytes, sizeof(first));
	return &cache->entries[hash_u64(first) % ENTRIES];
}

static bool recall(struct instruction_cache *cache, const struct entry *entry, const uint8_t *bytes)
{
	const uint8_t size = entry->instruction[offsetof(struct code_instruction, size_bytes)];

	if (!size || memcmp(entry->bytes, bytes, size) != 0)
		return false;
	memcpy(&cache->instruction, entry->instruction, KEPT_BYTES);
	return true;
}

const struct code_instruction *instruction_cache_read(struct instruction_cache *cache, const uint8_t *bytes,
						      size_t size)
{
	struct code_instruction *instruction = &cache->instruction;
	struct entry *entry = size < KEY_BYTES ? NULL : entry_of(cache, bytes);

	if (entry && recall(cache, entry, bytes))
		return instruction;
	if (!cache->arch->read_instruction(bytes, size, instruction))
		return NULL;
	if (entry && instruction->size_bytes <= KEY_BYTES && instruction->effect_count <= MAX_EFFECTS) {
		memcpy(entry->bytes, bytes, KEY_BYTES);
		memcpy(entry->instruction, instruction, KEPT_BYTES);
	}
	return instruction;
}
