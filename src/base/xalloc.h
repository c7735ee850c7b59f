#ifndef XPROF_BASE_XALLOC_H
#define XPROF_BASE_XALLOC_H

/*
 * Allocation that cannot return NULL: on exhaustion it writes one line to standard error and exits with status 1. Linux
 * overcommits, so no caller could handle a failing small allocation. But callers must compare sizes that come from input with
 * the bytes that are really there before they allocate.
 */

#include <stddef.h>

void *xmalloc(size_t size_bytes);
void *xcalloc(size_t count, size_t size_bytes); /* zeroed; count * size is checked for overflow */
/*
 * Likewise, but every page is written at once. A fresh zeroed page that is read before it is written costs
 * two page faults, the second of which interrupts all threads. Use it for tables most of whose pages will be
 * read.
 */
void *xcalloc_written(size_t count, size_t size_bytes);
void *xrealloc(void *block, size_t size_bytes);
char *xstrdup(const char *text);
char *xstrndup(const char *text, size_t length);
char *xasprintf(const char *format, ...) __attribute__((format(printf, 1, 2)));

/*
 * Call once, before the first thread. Large blocks then go back to the kernel as soon as they are freed. By itself glibc learns from
 * the first that is freed to keep blocks of its size, up to 32 MiB, and a profile needs hundreds of megabytes of them in turn.
 */
void xalloc_give_back(void);

/* Gives back the pages of small blocks that were freed, after a large structure made of them: milliseconds for 100 MB. */
void xalloc_trim(void);

/*
 * Makes room for at least `needed` items in the array `items`, which has room for `*capacity`. Returns the
 * array, which moves if it has to grow (the capacity doubles). New items are not initialised.
 */
void *array_grow(void *items, size_t *capacity, size_t needed, size_t item_size_bytes);

/*
 * A pointer to one more item at the end of an array: *ARRAY_ADD(list->items, list->count, list->capacity) = item; The arguments
 * are evaluated more than once, and the item's value must depend on none of them.
 */
#define ARRAY_ADD(items, count, capacity)                                                   \
	((items) = array_grow((items), &(capacity), (size_t)(count) + 1, sizeof(*(items))), \
	 &(items)[(count)++])

#endif
