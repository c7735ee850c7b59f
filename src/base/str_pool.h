#ifndef XPROF_BASE_STR_POOL_H
#define XPROF_BASE_STR_POOL_H

/*
 * Interned strings: equal texts get the same number, numbers are dense and
 * start at 0, which is always the empty string. Texts stay where they are as
 * long as the pool lives, so the pointers may be kept.
 */

#include <stddef.h>
#include <stdint.h>

struct str_pool;

struct str_pool *str_pool_create(void);
void str_pool_destroy(struct str_pool *pool);

uint32_t str_pool_add(struct str_pool *pool, const char *text);
uint32_t str_pool_add_n(struct str_pool *pool, const char *bytes, size_t length);

/* UINT32_MAX when the text was never added. */
uint32_t str_pool_find(const struct str_pool *pool, const char *text);

/* Valid as long as the pool. `number` must have come from this pool. */
const char *str_pool_text(const struct str_pool *pool, uint32_t number);
uint32_t str_pool_count(const struct str_pool *pool);

#endif
