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
 * A question is a point of that plane; its answer is the latest change at or
 * before the point's time whose addresses contain it. Changes may be added in
 * any order of time; of two with the same time the one that was added later
 * wins.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "process/dso.h"

struct address_change {
	uint64_t start, end; /* end exclusive */
	uint64_t time_ns;
	uint64_t file_offset; /* of start */
	struct dso *dso;      /* NULL: nothing is mapped there from then on (exec, unregistered code) */
	uint32_t prot;        /* PROT_* */
};

struct address_index;

/*
 * The changes lie in two parts: the first `indexed_count` are sorted by time
 * and found through `index`; the rest, a short tail, are looked through one by
 * one. When the tail grows long it is to be sorted in, and a new index made.
 */
struct address_map {
	struct address_change *changes;
	size_t count, capacity;
	size_t indexed_count;
	struct address_index *index; /* NULL: not made yet */
	uint64_t first_ns, last_ns;  /* of all changes; UINT64_MAX and 0 when there are none */
	uint32_t version;            /* counts the changes that were not added in order of time */
};

void address_map_init(struct address_map *map);
void address_map_fini(struct address_map *map);

/* Ignored when it is empty, or says what is known already. */
void address_map_add(struct address_map *map, const struct address_change *change);

/* Are there so many changes in the tail that looking for one takes long? Then they are to be sorted in before asking. */
bool address_map_is_settled(const struct address_map *map);
void address_map_settle(struct address_map *map);

/* NULL if no change contains the address. Valid until the map changes. */
const struct address_change *address_map_find(const struct address_map *map, uint64_t address,
					      uint64_t time_ns);

/*
 * Narrows [*start, *end), which contains the address, to where address_map_find() gives the same answer at that time.
 * Not always as wide as it could be.
 */
void address_map_narrow(const struct address_map *map, uint64_t address, uint64_t time_ns, uint64_t *start,
			uint64_t *end);

/* How many changes hold at a time: while `version` stays the same, equal counts mean equal answers. */
size_t address_map_count_at(const struct address_map *map, uint64_t time_ns);

/* Moves the changes from time_ns on to another map. */
void address_map_split(struct address_map *from, struct address_map *to, uint64_t time_ns);

#endif
