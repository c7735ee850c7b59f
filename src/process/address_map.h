#ifndef XPROF_PROCESS_ADDRESS_MAP_H
#define XPROF_PROCESS_ADDRESS_MAP_H

/*
 * The mappings of one address space over time: an append-only list of changes, each of which holds from its
 * time on until a later one covers it.
 *
 *   address ^        +--------- c ------
 *           |  +- a -+------------------
 *           |  +-----------  +-- b -----
 *           +-------------------------> time
 *
 * A lookup of (address, time) finds the latest change at or before that time whose range contains the
 * address. Changes may be added in any order of time; of two with the same time, the one added later wins.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "process/dso.h"
#include "process/time_span.h"

struct address_change {
	uint64_t start, end; /* end exclusive */
	uint64_t time_ns;
	uint64_t file_offset; /* of start */
	struct dso *dso;      /* NULL: nothing is mapped there from time_ns on (exec, unregistered code) */
	uint32_t prot;        /* PROT_* */
};

struct address_index;

/*
 * The changes have two parts, each sorted by time: the first `indexed_count` are found through `index`; a
 * lookup scans the rest, a short tail. When the tail has become long, address_map_settle() sorts it in and
 * makes a new index.
 */
struct address_map {
	struct address_change *changes;
	size_t count, capacity;
	size_t indexed_count;
	struct address_index *index; /* NULL: none was made yet */
	uint64_t first_ns, last_ns;  /* of all changes; UINT64_MAX and 0 when there are none */
	uint32_t version;            /* counts the changes that were not added in order of time */
};

void address_map_init(struct address_map *map);
void address_map_fini(struct address_map *map);

/* Ignores a change that has an empty range or changes nothing. */
void address_map_add(struct address_map *map, const struct address_change *change);

/* Is the tail short enough for fast lookups? If not, call address_map_settle() first. */
bool address_map_is_settled(const struct address_map *map);
void address_map_settle(struct address_map *map);

/* NULL if no change contains the address. Valid until the map changes. */
const struct address_change *address_map_find(const struct address_map *map, uint64_t address,
					      uint64_t time_ns);

/*
 * Narrows [*start, *end), which contains the address, to a range in which address_map_find() gives the same answer at
 * that time. The result may be smaller than necessary.
 */
void address_map_narrow(const struct address_map *map, uint64_t address, uint64_t time_ns, uint64_t *start,
			uint64_t *end);

/*
 * The number of changes at or before a time: while `version` stays the same, equal counts mean equal answers.
 */
size_t address_map_count_at(const struct address_map *map, uint64_t time_ns);

/* Narrows the span, which contains time_ns, to times at which address_map_count_at() gives the same. */
void address_map_narrow_span(const struct address_map *map, uint64_t time_ns, struct time_span *span);

/* Moves the changes from time_ns on to another map. */
void address_map_split(struct address_map *from, struct address_map *to, uint64_t time_ns);

#endif
