#ifndef XPROF_REPORT_WAITS_IDLE_POOLS_H
#define XPROF_REPORT_WAITS_IDLE_POOLS_H

/*
 * --hide-idle: the functions in which idle threads of a runtime's pool wait for work. A stack is idle if it has a function that
 * matches `in` and, among the functions called from there, one that matches `waits` and none that matches `unless`. Event loops
 * are not in the table, because only the program knows what its loop waits for.
 */

#include <stddef.h>

/* Patterns are those of fnmatch(3), for the whole name of a function. */
struct idle_pool {
	const char *pool;   /* its name in messages */
	const char *in;     /* the function of the pool that looks for work */
	const char *waits;  /* the function that waits; NULL: any */
	const char *unless; /* the function that runs work; NULL: none */
	const char *why;    /* why a thread that waits there is idle */
};

enum { MAX_IDLE_POOLS = 32 };

extern const struct idle_pool idle_pools[];
extern const size_t idle_pool_count; /* at most MAX_IDLE_POOLS */

#endif
