#ifndef XPROF_RECORD_ID_ALIASES_H
#define XPROF_RECORD_ID_ALIASES_H

/*
 * Replaces the ids of events that were opened after the file's list of ids had been written. Each record of
 * such an event gets an id from the list, so that any reader finds its event.
 */

#include <linux/perf_event.h>
#include <stddef.h>
#include <stdint.h>

#include "base/hash_table.h"

struct id_alias {
	uint64_t id;                        /* the id that the kernel gave */
	uint64_t listed_id;                 /* the event's id in the file */
	uint64_t counted;                   /* the event's count before it was closed and opened anew */
	const struct perf_event_attr *attr; /* the layout of its records; borrowed */
};

struct id_aliases {
	struct id_alias *items;
	size_t count, capacity;
	struct hash_table by_id;
};

void id_aliases_fini(struct id_aliases *aliases);
void id_aliases_add(struct id_aliases *aliases, const struct id_alias *alias);

/*
 * Replaces the ids in `size` bytes of whole records, in place. `trailer` is the attr of any event of their
 * ring: it says what follows each record (sample_id_all).
 */
void id_aliases_apply(const struct id_aliases *aliases, const struct perf_event_attr *trailer,
		      uint8_t *records, size_t size);

#endif
