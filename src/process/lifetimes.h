#ifndef XPROF_PROCESS_LIFETIMES_H
#define XPROF_PROCESS_LIFETIMES_H

/*
 * Pids and tids are reused: an index from (id, time) to the process or thread
 * that had the id then. Each is one lifetime, numbered densely from 0; what is
 * known about it lies in the owner's own array under that number.
 *
 * A lifetime that was met before its FORK record (or whose FORK was never seen) reaches back to the
 * beginning, so that every record belongs to a lifetime.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/hash_table.h"

#define LIFETIME_NONE UINT32_MAX

struct lifetime {
	uint32_t id;    /* pid or tid */
	uint32_t older; /* lifetime that had the id before; LIFETIME_NONE */
	uint32_t shortcut; /* to one of those before, past some; LIFETIME_NONE: it was the first when it was added */
	uint32_t rank;     /* how many were before when it was added */
	uint32_t parent;   /* that it was forked from; LIFETIME_NONE */
	uint64_t start_ns; /* 0 for one that was never forked */
	bool forked;       /* its FORK has been seen */
};

struct lifetime_head { /* of the lifetimes with one id */
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

void lifetimes_init(struct lifetimes *lifetimes);
void lifetimes_fini(struct lifetimes *lifetimes);

/*
 * The lifetime that had the id at that time; the first one for times before all of them; LIFETIME_NONE if the
 * id was never used.
 */
uint32_t lifetimes_at(const struct lifetimes *lifetimes, uint32_t id, uint64_t time_ns);

/* As lifetimes_at(), and adds one when there is none. */
uint32_t lifetimes_at_or_new(struct lifetimes *lifetimes, uint32_t id, uint64_t time_ns);

/*
 * A FORK gives `id` to a new lifetime from time_ns on. `first_ns` is the time of the earliest record of the
 * present lifetime (UINT64_MAX: none). Records of different CPUs can come out of order, so if all records of
 * the present lifetime are later than the FORK, it is the forked one.
 *
 * When *split_from is not LIFETIME_NONE, what is known of it from time_ns on
 * belongs to the returned lifetime.
 */
uint32_t lifetimes_fork(struct lifetimes *lifetimes, uint32_t id, uint32_t parent, uint64_t time_ns,
			uint64_t first_ns, uint32_t *split_from);

#endif
