/*
 * Ids occur in samples, in the words that sample_id_all puts after every other record, and in the few records that name an event
 * (perf_output_sample() and perf_event__output_id_sample() of kernel/events/core.c). All records consist of words of eight bytes.
 */
#include "record/id_aliases.h"

#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"

enum { WORD_BYTES = 8 };

/* A record as words of eight bytes. The header is word 0. */
struct word_record {
	uint8_t *bytes;
	size_t words;
};

void id_aliases_fini(struct id_aliases *aliases)
{
	hash_table_fini(&aliases->by_id);
	free(aliases->items);
}

void id_aliases_add(struct id_aliases *aliases, const struct id_alias *alias)
{
	hash_table_insert(&aliases->by_id, hash_u64(alias->id), (uint32_t)aliases->count);
	*ARRAY_ADD(aliases->items, aliases->count, aliases->capacity) = *alias;
}

static bool has_id(const void *items, uint32_t number, const void *id)
{
	return ((const struct id_alias *)items)[number].id == *(const uint64_t *)id;
}

static const struct id_alias *find(const struct id_aliases *aliases, uint64_t id)
{
	const uint32_t number = hash_table_find(&aliases->by_id, hash_u64(id), has_id, aliases->items, &id);

	return number == HASH_TABLE_NONE ? NULL : &aliases->items[number];
}

static uint64_t word_at(const struct word_record *record, size_t number)
{
	uint64_t word = 0;

	if (number < record->words)
		memcpy(&word, record->bytes + number * WORD_BYTES, sizeof(word));
	return word;
}

static void set_word(const struct word_record *record, size_t number, uint64_t word)
{
	if (number < record->words)
		memcpy(record->bytes + number * WORD_BYTES, &word, sizeof(word));
}

/* Returns NULL if the word is not an id with an alias. */
static const struct id_alias *rename_word(const struct id_aliases *aliases, const struct word_record *record,
					  size_t number)
{
	const struct id_alias *alias = number < record->words ? find(aliases, word_at(record, number)) : NULL;

	if (alias)
		set_word(record, number, alias->listed_id);
	return alias;
}

/* Replaces the id of a { value, id, lost } in PERF_SAMPLE_READ, and adds to the value. Returns the next word's number. */
static size_t rename_count(const struct id_aliases *aliases, const struct word_record *record,
			   uint64_t format, size_t value, size_t id)
{
	const struct id_alias *alias = rename_word(aliases, record, id);

	if (alias)
		set_word(record, value, word_at(record, value) + alias->counted);
	return id + 1 + (format & PERF_FORMAT_LOST ? 1 : 0);
}

/* The layout is perf_output_read()'s. */
static void rename_counts(const struct id_aliases *aliases, const struct word_record *record,
			  const struct perf_event_attr *attr, size_t word)
{
	const uint64_t format = attr->read_format;
	const size_t times = (format & PERF_FORMAT_TOTAL_TIME_ENABLED ? 1 : 0) +
			     (format & PERF_FORMAT_TOTAL_TIME_RUNNING ? 1 : 0);
	uint64_t events;

	if (!(format & PERF_FORMAT_ID))
		return;
	if (!(format & PERF_FORMAT_GROUP)) {
		rename_count(aliases, record, format, word, word + 1 + times);
		return;
	}
	events = word_at(record, word);
	word += 1 + times;
	for (uint64_t i = 0; i < events && word + 1 < record->words; i++)
		word = rename_count(aliases, record, format, word, word + 1);
}

/* Only an id at the beginning can be found, since the other fields depend on the event that it names. */
static void rename_sample(const struct id_aliases *aliases, const struct word_record *record,
			  const struct perf_event_attr *trailer)
{
	static const uint64_t before_read = PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_IP | PERF_SAMPLE_TID |
					    PERF_SAMPLE_TIME | PERF_SAMPLE_ADDR | PERF_SAMPLE_ID |
					    PERF_SAMPLE_STREAM_ID | PERF_SAMPLE_CPU | PERF_SAMPLE_PERIOD;
	const struct id_alias *alias;

	if (!(trailer->sample_type & PERF_SAMPLE_IDENTIFIER))
		return;
	alias = rename_word(aliases, record, 1);
	if (alias && alias->attr->sample_type & PERF_SAMPLE_READ)
		rename_counts(aliases, record, alias->attr,
			      1 + (size_t)__builtin_popcountll(alias->attr->sample_type & before_read));
}

static void rename_record(const struct id_aliases *aliases, const struct perf_event_attr *trailer,
			  const struct word_record *record, uint32_t type)
{
	if (type == PERF_RECORD_SAMPLE) {
		rename_sample(aliases, record, trailer);
		return;
	}
	if (type == PERF_RECORD_LOST) /* { id, lost } */
		rename_word(aliases, record, 1);
	if (type == PERF_RECORD_THROTTLE || type == PERF_RECORD_UNTHROTTLE) { /* { time, id, stream_id } */
		rename_word(aliases, record, 2);
		rename_word(aliases, record, 3);
	}
	if (trailer->sample_type & PERF_SAMPLE_IDENTIFIER && record->words > 1)
		rename_word(aliases, record, record->words - 1);
}

void id_aliases_apply(const struct id_aliases *aliases, const struct perf_event_attr *trailer,
		      uint8_t *records, size_t size)
{
	struct perf_event_header header;

	for (size_t at = 0; size - at >= sizeof(header); at += header.size) {
		memcpy(&header, records + at, sizeof(header));
		if (header.size < sizeof(header) || header.size > size - at)
			return;
		rename_record(aliases, trailer,
			      &(struct word_record){ .bytes = records + at,
						     .words = header.size / WORD_BYTES },
			      header.type);
	}
}
