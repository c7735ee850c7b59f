#ifndef XPROF_PROCESS_LIFETIMES_H
#define XPROF_PROCESS_LIFETIMES_H

/*
 * Pids and tids are reused, so this index maps (id, time) to the process or thread that had the id then. Each
 * is one lifetime, numbered densely from 0; the owner keeps what it knows about it in its own array under
 * that number.
 *
 * Until its FORK record is applied, a lifetime begins at time 0, so that every record belongs to a lifetime.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/hash_table.h"
#include "process/time_span.h"

#define LIFETIME_NONE UINT32_MAX

struct lifetime {
	uint32_t id;       /* pid or tid */
	uint32_t older;    /* the lifetime that had the id before, or LIFETIME_NONE */
	uint32_t shortcut; /* skips several older lifetimes; LIFETIME_NONE: it was the first when it was added */
	uint32_t rank;     /* number of older lifetimes when it was added */
	uint32_t parent;   /* the lifetime that forked it, or LIFETIME_NONE */
	uint64_t start_ns; /* 0 without a FORK record */
	bool forked;       /* its FORK record has been applied */
};

struct lifetime_head { /* entry point to the lifetimes with one id */
	uint32_t id;
	uint32_t newest;
};

struct lifetimes {
	struct lifetime *items;
	size_t count, capacity;
	struct lifetime_head *heads;
	size_t head_count, head_capacity;
	struct hash_table by_id;
};

void lifetimes_fini(struct lifetimes *lifetimes);

/*
 * The lifetime that had the id at that time. Returns the first one if the time is before all of them,
 * LIFETIME_NONE if the id was never used.
 */
uint32_t lifetimes_at(const struct lifetimes *lifetimes, uint32_t id, uint64_t time_ns);

/* Narrows the span, which contains time_ns, to times at which lifetimes_at() gives the same. */
void lifetimes_narrow_span(const struct lifetimes *lifetimes, uint32_t id, uint64_t time_ns,
			   struct time_span *span);

/* As lifetimes_at(), but adds a lifetime if there is none. */
uint32_t lifetimes_at_or_new(struct lifetimes *lifetimes, uint32_t id, uint64_t time_ns);

/*
 * A FORK gives `id` to a new lifetime from time_ns on. `first_ns` is the time of the earliest record of the
 * present lifetime (UINT64_MAX: none). Records of different CPUs can come out of order, so if all records of
 * the present lifetime are later than the FORK, it is the forked one.
 *
 * Returns the forked lifetime. If *split_from is set to another value than LIFETIME_NONE, the caller must
 * move what it knows about that lifetime from time_ns on to the returned one.
 */
uint32_t lifetimes_fork(struct lifetimes *lifetimes, uint32_t id, uint32_t parent, uint64_t time_ns,
			uint64_t first_ns, uint32_t *split_from);

/* Is it the newest lifetime with its id? */
bool lifetimes_is_newest(const struct lifetimes *lifetimes, uint32_t number);

/* Removes all lifetimes but those with kept[number], which are renumbered in the same order and lose their parents. */
void lifetimes_keep(struct lifetimes *lifetimes, const bool *kept);

#endif
