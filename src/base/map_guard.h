#ifndef XPROF_BASE_MAP_GUARD_H
#define XPROF_BASE_MAP_GUARD_H

/*
 * A mapped file that somebody else makes shorter raises SIGBUS in whoever reads behind its new end
 * (mmap(2)). A guarded mapping reads as zeros there instead, and says so when it is asked.
 *
 * A guard puts up a handler for SIGBUS if there is none of its kind; signals of other places go to the one
 * that was there before. Guards may be added and removed while other threads read guarded mappings.
 */

#include <stdbool.h>
#include <stddef.h>

struct map_guard;

/* `start` is what mmap() gave. NULL when there are too many: the mapping is then as dangerous as before. */
struct map_guard *map_guard_add(const void *start, size_t size_bytes);

/* Was there a reading behind the end? Of NULL: no. */
bool map_guard_was_hit(const struct map_guard *guard);

/* Before the mapping goes. NULL is nothing. */
void map_guard_remove(struct map_guard *guard);

#endif
