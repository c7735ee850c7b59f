/*
 * Finds a record's event in three steps: learn_id_words() learns from the attrs which word of a record has its id,
 * read_id() reads that word, and a hash table maps the id to the event. event_table_of() adds perf's exceptions, for files
 * without ids or with one event only.
 */
#include "format/event_table.h"

#include <linux/perf_event.h>
#include <stdlib.h>

#include "base/xalloc.h"
#include "format/perf_abi.h"

struct event_entry {
	struct event_desc desc;
	uint64_t *ids; /* same as desc.ids */
	size_t id_capacity;
};

/* Thousands of events on a thousand CPUs. An id takes a few dozen bytes here, but hardly one in a compressed file. */
enum { IDS_MAX = 1 << 22 };

struct event_id {
	uint64_t id;
	size_t number;
};

void event_table_init(struct event_table *table)
{
	*table = (struct event_table){ .sample_id_word = -1, .trailer_id_word = -1 };
}

void event_table_fini(struct event_table *table)
{
	for (size_t i = 0; i < table->count; i++)
		free(table->events[i]->ids);
	free(table->events);
	free(table->ids);
	hash_table_fini(&table->id_index);
	arena_fini(&table->memory);
}

/*
 * Where a record has its event's id depends on its event. IDENTIFIER breaks that circle: its place is fixed. Without it,
 * all events of a recording must agree on the place, so the first event with an id decides. (linux/perf_event.h,
 * PERF_SAMPLE_IDENTIFIER and struct sample_id)
 */
static void learn_id_words(struct event_table *table, uint64_t sample_type)
{
	const uint64_t before = PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_ADDR;
	const uint64_t behind = PERF_SAMPLE_STREAM_ID | PERF_SAMPLE_CPU;

	if (table->sample_id_word >= 0)
		return;
	if (sample_type & PERF_SAMPLE_IDENTIFIER) {
		table->sample_id_word = 0;
		table->trailer_id_word = 1;
	} else if (sample_type & PERF_SAMPLE_ID) {
		table->sample_id_word = __builtin_popcountll(sample_type & before);
		table->trailer_id_word = 1 + __builtin_popcountll(sample_type & behind);
	}
}

size_t event_table_add(struct event_table *table, const struct perf_attr *attr)
{
	struct event_entry *entry = arena_alloc(&table->memory, sizeof(*entry));
	char name[64];

	perf_attr_name(attr, name, sizeof(name));
	*entry = (struct event_entry){
		.desc = { .attr = *attr, .name = arena_strdup(&table->memory, name), .leader = table->count }
	};
	table->events =
		array_grow(table->events, &table->capacity, table->count + 1, sizeof(table->events[0]));
	table->events[table->count] = entry;
	learn_id_words(table, attr->sample_type);
	table->idless_count++;
	table->idless_sum += table->count;
	return table->count++;
}

void event_table_set_attr_bytes(struct event_table *table, size_t number, struct byte_reader attr)
{
	enum { ATTR_MAX_BYTES = 4096 }; /* the kernel's limit; a damaged header may claim any size */
	struct event_desc *desc = &table->events[number]->desc;

	desc->attr_size = byte_reader_left(&attr);
	if (desc->attr_size > ATTR_MAX_BYTES)
		desc->attr_size = ATTR_MAX_BYTES;
	desc->attr_bytes = arena_copy(&table->memory, attr.next, desc->attr_size);
}

static bool has_id(const void *items, uint32_t item, const void *key)
{
	const struct event_id *ids = items;

	return ids[item].id == *(const uint64_t *)key;
}

static const struct event_id *find_id(const struct event_table *table, uint64_t id)
{
	uint32_t item = hash_table_find(&table->id_index, hash_u64(id), has_id, table->ids, &id);

	return item == HASH_TABLE_NONE ? NULL : &table->ids[item];
}

static void add_id(struct event_table *table, size_t number, uint64_t id)
{
	struct event_entry *entry = table->events[number];

	if (find_id(table, id) || table->id_count >= IDS_MAX)
		return;
	hash_table_insert(&table->id_index, hash_u64(id), (uint32_t)table->id_count);
	*ARRAY_ADD(table->ids, table->id_count, table->id_capacity) =
		(struct event_id){ .id = id, .number = number };
	if (entry->desc.id_count == 0) {
		table->idless_count--;
		table->idless_sum -= number;
	}
	*ARRAY_ADD(entry->ids, entry->desc.id_count, entry->id_capacity) = id;
	entry->desc.ids = entry->ids;
}

void event_table_add_ids(struct event_table *table, size_t number, struct byte_reader ids)
{
	if (number >= table->count)
		return;
	while (byte_reader_left(&ids) >= sizeof(uint64_t))
		add_id(table, number, byte_reader_u64(&ids));
}

void event_table_set_group(struct event_table *table, size_t leader, size_t count)
{
	bool counts = false;

	if (leader >= table->count || count > table->count - leader)
		return;
	for (size_t i = leader; i < leader + count; i++) {
		const struct perf_attr *attr = &table->events[i]->desc.attr;

		table->events[i]->desc.leader = leader;
		counts |= attr->sample_type & PERF_SAMPLE_BRANCH_STACK &&
			  attr->branch_sample_type & BRANCH_COUNTERS;
	}
	for (size_t i = leader; i < leader + count; i++)
		table->events[i]->desc.attr.group_counts_branches = counts;
}

void event_table_set_name(struct event_table *table, size_t number, const char *name)
{
	struct event_desc *desc;

	if (number >= table->count || !*name)
		return;
	desc = &table->events[number]->desc;
	/* If features are also written as records before the data, names come twice; the same text is kept once. */
	if (strcmp(desc->name, name) != 0)
		desc->name = arena_strdup(&table->memory, name);
}

const struct event_desc *event_table_at(const struct event_table *table, size_t number)
{
	return number < table->count ? &table->events[number]->desc : NULL;
}

size_t event_table_by_id(const struct event_table *table, uint64_t id)
{
	const struct event_id *found = find_id(table, id);

	return found ? found->number : SIZE_MAX;
}

/* Reads the word with the record's id; false if the record is too short to have one. */
static bool read_id(const struct event_table *table, const struct event *event, uint64_t *id)
{
	const size_t words = event->payload_size / sizeof(*id);
	size_t offset;

	if (event->type == PERF_RECORD_SAMPLE) {
		if (words <= (size_t)table->sample_id_word)
			return false;
		offset = (size_t)table->sample_id_word * sizeof(*id);
	} else {
		if (words < (size_t)table->trailer_id_word)
			return false;
		offset = event->payload_size - (size_t)table->trailer_id_word * sizeof(*id);
	}
	memcpy(id, event->payload + offset, sizeof(*id));
	if (event->swap)
		*id = __builtin_bswap64(*id);
	return true;
}

/*
 * The event of an id that no attr lists. If the writer listed no ids at all, it is the first event; if it left out the ids
 * of just one event, it is that one. Otherwise SIZE_MAX.
 */
static size_t event_of_unlisted_id(const struct event_table *table)
{
	if (table->id_count == 0)
		return 0;
	return table->idless_count == 1 ? table->idless_sum : SIZE_MAX;
}

size_t event_table_of(const struct event_table *table, const struct event *event)
{
	uint64_t id;
	size_t number;

	if (table->count == 0 || event->type >= PERF_RECORD_USER_TYPE_START)
		return SIZE_MAX;
	/* As in perf: a single event needs no id, and without ids everything belongs to the first event. */
	if (table->count == 1 || table->sample_id_word < 0)
		return 0;
	if (event->type != PERF_RECORD_SAMPLE &&
	    !perf_attr_has(&table->events[0]->desc.attr, PERF_ATTR_SAMPLE_ID_ALL))
		return 0;
	if (!read_id(table, event, &id))
		return SIZE_MAX;
	/* Records made by the recorder itself have the id 0. */
	number = id == 0 ? 0 : event_table_by_id(table, id);
	return number == SIZE_MAX ? event_of_unlisted_id(table) : number;
}
