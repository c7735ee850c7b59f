#ifndef XPROF_BASE_MAP_GUARD_H
#define XPROF_BASE_MAP_GUARD_H

/*
 * If another program shortens a mapped file, reading behind the new end raises SIGBUS (mmap(2)). A guarded
 * mapping reads as zeros there instead, and map_guard_was_hit() tells.
 *
 * The first guard installs a handler for SIGBUS, which passes signals from other places to the previous
 * handler. Guards may be added and removed while other threads read guarded mappings.
 */

#include <stdbool.h>
#include <stddef.h>

struct map_guard;

/* `start` is the result of mmap(). NULL if there are too many guards: the mapping is then not guarded. */
struct map_guard *map_guard_add(const void *start, size_t size_bytes);

/* Has anything been read behind the new end of the file? False for NULL. */
bool map_guard_was_hit(const struct map_guard *guard);

/* Call before munmap(). May be NULL. */
void map_guard_remove(struct map_guard *guard);

#endif
