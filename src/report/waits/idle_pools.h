#ifndef XPROF_REPORT_WAITS_IDLE_POOLS_H
#define XPROF_REPORT_WAITS_IDLE_POOLS_H

/*
 * --hide-idle: where threads of runtimes' pools wait for work. A stack is idle if a function that matches `in` is in it and, called
 * from there, one that matches `waits`, with none that matches `unless` behind the first. Event loops are not among them: what
 * a program's own loop waits for is the program's business.
 */

#include <stddef.h>

/* Patterns are those of fnmatch(3), for the whole name of a function. */
struct idle_pool {
	const char *pool;   /* what it is called to the user */
	const char *in;     /* the pool's own function that looks for work */
	const char *waits;  /* NULL: whatever it waits in */
	const char *unless; /* what it calls for work that it has found; NULL: nothing */
	const char *why;    /* that this is idleness */
};

enum { MAX_IDLE_POOLS = 32 };

extern const struct idle_pool idle_pools[];
extern const size_t idle_pool_count; /* at most MAX_IDLE_POOLS */

#endif
