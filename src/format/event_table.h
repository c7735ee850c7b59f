#ifndef XPROF_FORMAT_EVENT_TABLE_H
#define XPROF_FORMAT_EVENT_TABLE_H

/*
 * The events of a recording and which sample ids belong to each. Events keep
 * their place and their number for as long as the table lives.
 */

#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/byte_reader.h"
#include "base/hash_table.h"
#include "format/event.h"
#include "format/event_desc.h"

struct event_entry;
struct event_id;

struct event_table {
	struct event_entry **events;
	size_t count, capacity;
	struct event_id *ids; /* of all events, in order of appearance */
	size_t id_count, id_capacity;
	/* number of events without ids, and the sum of their numbers: the number of the event if there is only one */
	size_t idless_count, idless_sum;
	struct hash_table id_index;
	struct arena memory;
	int sample_id_word;  /* position of the id in a sample, in words behind the header; -1: none */
	int trailer_id_word; /* the same for other kernel records, counted from the end: 1 is the last word */
};

void event_table_init(struct event_table *table);
void event_table_fini(struct event_table *table);

/* Returns the new event's number. The name is made from the attr until event_table_set_name(). */
size_t event_table_add(struct event_table *table, const struct perf_attr *attr);

/* Sets event_desc.attr_bytes to a copy of these bytes. */
void event_table_set_attr_bytes(struct event_table *table, size_t number, struct byte_reader attr);

/* Reads u64 ids until the reader's end. Ids that belong to another event already are skipped. */
void event_table_add_ids(struct event_table *table, size_t number, struct byte_reader ids);

/* Events `leader` to leader + count - 1 are a group. Numbers that are too large are ignored. */
void event_table_set_group(struct event_table *table, size_t leader, size_t count);
void event_table_set_name(struct event_table *table, size_t number, const char *name);

/* NULL if there is no event with that number. Valid as long as the table; its ids until more are added. */
const struct event_desc *event_table_at(const struct event_table *table, size_t number);

/* The number of the event that an id or a record belongs to. SIZE_MAX if unknown. */
size_t event_table_by_id(const struct event_table *table, uint64_t id);
size_t event_table_of(const struct event_table *table, const struct event *event);

#endif
