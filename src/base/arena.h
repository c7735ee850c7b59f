#ifndef XPROF_BASE_ARENA_H
#define XPROF_BASE_ARENA_H

/* Many small objects with one lifetime: allocated by bumping a pointer, released all at once. */

#include <stddef.h>

struct arena_block;

struct arena {
	struct arena_block *blocks; /* newest first */
	size_t used_bytes;          /* handed out since init or reset */
};

/* Only for storage that is not zeroed: zero bytes are an empty arena. */
void arena_init(struct arena *arena);
void arena_fini(struct arena *arena);

/* Forgets all objects but keeps the largest block for reuse. */
void arena_reset(struct arena *arena);

/* Aligned for any object; not initialised. Valid until reset or fini. */
void *arena_alloc(struct arena *arena, size_t size_bytes);
void *arena_copy(struct arena *arena, const void *bytes, size_t size_bytes);
char *arena_strdup(struct arena *arena, const char *text);

#endif
