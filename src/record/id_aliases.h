#ifndef XPROF_RECORD_ID_ALIASES_H
#define XPROF_RECORD_ID_ALIASES_H

/*
 * Ids of events that were opened after the file's list of ids had been written: each record of such an event gets an
 * id that the list has, so that any reader knows whose record it is.
 */

#include <linux/perf_event.h>
#include <stddef.h>
#include <stdint.h>

#include "base/hash_table.h"

struct id_alias {
	uint64_t id;                        /* the kernel's */
	uint64_t listed_id;                 /* what the file knows the event by */
	uint64_t counted;                   /* what the event had counted before it was opened anew */
	const struct perf_event_attr *attr; /* how its records are laid out; borrowed */
};

struct id_aliases {
	struct id_alias *items;
	size_t count, capacity;
	struct hash_table by_id;
};

void id_aliases_init(struct id_aliases *aliases);
void id_aliases_fini(struct id_aliases *aliases);
void id_aliases_add(struct id_aliases *aliases, const struct id_alias *alias);

/*
 * Renames whole records. `trailer` is the attr of an event whose records end as those of all events of their ring do.
 */
void id_aliases_apply(const struct id_aliases *aliases, const struct perf_event_attr *trailer,
		      uint8_t *records, size_t size);

#endif
