/*
 * The arena is a list of blocks, newest first; arena_alloc() takes from the newest one only. Each new block is twice as large
 * as the one before, up to LARGEST_BLOCK_BYTES, or as large as the one object that asks for it.
 */
#include "base/arena.h"

#include <stdalign.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"

enum {
	/* Small arenas are common (one per record), large ones grow by doubling up to the largest step. */
	FIRST_BLOCK_BYTES = 4 * 1024,
	LARGEST_BLOCK_BYTES = 1024 * 1024,
};

struct arena_block {
	struct arena_block *older;
	size_t size_bytes; /* of `bytes` */
	size_t used_bytes;
	alignas(max_align_t) unsigned char bytes[];
};

void arena_init(struct arena *arena)
{
	*arena = (struct arena){ 0 };
}

void arena_fini(struct arena *arena)
{
	struct arena_block *block = arena->blocks;

	while (block) {
		struct arena_block *older = block->older;

		free(block);
		block = older;
	}
	arena_init(arena);
}

void arena_reset(struct arena *arena)
{
	struct arena_block *block = arena->blocks, *largest = NULL;

	for (; block; block = block->older)
		if (!largest || block->size_bytes > largest->size_bytes)
			largest = block;
	block = arena->blocks;
	while (block) {
		struct arena_block *older = block->older;

		if (block != largest)
			free(block);
		block = older;
	}
	arena_init(arena);
	if (largest) {
		largest->older = NULL;
		largest->used_bytes = 0;
		arena->blocks = largest;
	}
}

static struct arena_block *block_add(struct arena *arena, size_t needed_bytes)
{
	struct arena_block *block;
	size_t size_bytes = FIRST_BLOCK_BYTES, total_bytes;

	if (arena->blocks)
		size_bytes = arena->blocks->size_bytes < LARGEST_BLOCK_BYTES / 2 ?
				     arena->blocks->size_bytes * 2 :
				     LARGEST_BLOCK_BYTES;
	if (size_bytes < needed_bytes)
		size_bytes = needed_bytes;
	if (__builtin_add_overflow(size_bytes, sizeof(*block), &total_bytes))
		total_bytes = SIZE_MAX; /* xmalloc() reports it */
	block = xmalloc(total_bytes);
	block->size_bytes = size_bytes;
	block->used_bytes = 0;
	block->older = arena->blocks;
	arena->blocks = block;
	return block;
}

void *arena_alloc(struct arena *arena, size_t size_bytes)
{
	struct arena_block *block = arena->blocks;
	size_t padded_bytes;
	void *object;

	if (__builtin_add_overflow(size_bytes, alignof(max_align_t) - 1, &padded_bytes))
		return xmalloc(SIZE_MAX);
	padded_bytes &= ~(alignof(max_align_t) - 1);
	if (!block || padded_bytes > block->size_bytes - block->used_bytes)
		block = block_add(arena, padded_bytes);
	object = block->bytes + block->used_bytes;
	block->used_bytes += padded_bytes;
	arena->used_bytes += padded_bytes;
	return object;
}

void *arena_copy(struct arena *arena, const void *bytes, size_t size_bytes)
{
	void *copy = arena_alloc(arena, size_bytes);

	if (size_bytes)
		memcpy(copy, bytes, size_bytes);
	return copy;
}

char *arena_strdup(struct arena *arena, const char *text)
{
	return arena_copy(arena, text, strlen(text) + 1);
}
