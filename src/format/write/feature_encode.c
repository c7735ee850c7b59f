/*
 * A feature_set is an array of byte strings by feature number. feature_set_add_records() writes those that fit as records,
 * feature_set_add_table() writes all as a table: first the sections' places, then their bytes, in the order of the numbers.
 */
#include "format/write/feature_encode.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "base/byte_reader.h"
#include "base/xalloc.h"
#include "format/record_header.h"

enum {
	STRING_ALIGNMENT = 64,                                    /* NAME_ALIGN, tools/perf/util/header.c */
	MAX_RECORD_SIZE_BYTES = UINT16_MAX & ~7,                  /* perf_event_header.size has 16 bits */
	FEATURE_RECORD_HEADER_SIZE = PERF_RECORD_HEADER_SIZE + 8, /* and u64 feat_id */
	BUILD_ID_RECORD_HEADER_SIZE = PERF_RECORD_HEADER_SIZE + 4 + 24,
	MISC_BUILD_ID_SIZE = 1 << 15, /* PERF_RECORD_MISC_BUILD_ID_SIZE: byte 20 of build_id is its size */
};

void feature_set_fini(struct feature_set *set)
{
	for (unsigned int i = 0; i < HEADER_FEATURE_BITS; i++)
		free(set->features[i].bytes);
	for (size_t i = 0; i < set->build_id_count; i++)
		free(set->build_ids[i].path);
	free(set->build_ids);
	hash_table_fini(&set->build_id_index);
}

void feature_set_put(struct feature_set *set, unsigned int feature, const void *bytes, size_t size)
{
	struct feature_bytes *entry;

	if (feature >= HEADER_FEATURE_BITS)
		return;
	entry = &set->features[feature];
	entry->bytes = xrealloc(entry->bytes, size ? size : 1);
	if (size)
		memcpy(entry->bytes, bytes, size);
	entry->size = size;
	entry->set = true;
	entry->section_offset = 0;
}

static bool build_id_has_path(const void *items, uint32_t item, const void *key)
{
	const struct written_build_id *build_ids = items;

	return strcmp(build_ids[item].path, key) == 0;
}

static struct written_build_id *build_id_of_path(struct feature_set *set, const char *path)
{
	uint64_t hash = hash_bytes(path, strlen(path));
	uint32_t number =
		hash_table_find(&set->build_id_index, hash, build_id_has_path, set->build_ids, path);

	if (number != HASH_TABLE_NONE)
		return &set->build_ids[number];
	set->build_ids = array_grow(set->build_ids, &set->build_id_capacity, set->build_id_count + 1,
				    sizeof(set->build_ids[0]));
	number = (uint32_t)set->build_id_count++;
	set->build_ids[number].path = xstrndup(path, PATH_MAX - 1);
	hash_table_insert(&set->build_id_index, hash, number);
	return &set->build_ids[number];
}

void feature_set_add_build_id(struct feature_set *set, const char *path, uint16_t misc,
			      const uint8_t *build_id, size_t build_id_size)
{
	struct written_build_id *entry = build_id_of_path(set, path);

	entry->misc = misc;
	entry->build_id_size =
		(uint8_t)(build_id_size < sizeof(entry->build_id) ? build_id_size : sizeof(entry->build_id));
	memset(entry->build_id, 0, sizeof(entry->build_id));
	memcpy(entry->build_id, build_id, entry->build_id_size);
}

static size_t align_up(size_t size, size_t alignment)
{
	return (size + alignment - 1) / alignment * alignment;
}

void feature_add_string(struct strbuf *out, const char *text)
{
	size_t length = strlen(text), padded = align_up(length + 1, STRING_ALIGNMENT);

	strbuf_add_u32(out, (uint32_t)padded, false);
	strbuf_add(out, text, length);
	strbuf_add_zeros(out, padded - length);
}

/*
 * struct perf_record_header_build_id, tools/lib/perf/include/perf/event.h. Records and entries of the BUILD_ID section have
 * the same form.
 */
void feature_add_build_id(struct strbuf *out, uint32_t type, const struct written_build_id *entry, bool swap)
{
	size_t length = strlen(entry->path), padded = align_up(length + 1, STRING_ALIGNMENT);

	record_header_add(out, type, entry->misc | MISC_BUILD_ID_SIZE, BUILD_ID_RECORD_HEADER_SIZE + padded,
			  swap);
	strbuf_add_u32(out, UINT32_MAX, swap); /* pid -1: the host */
	strbuf_add(out, entry->build_id, sizeof(entry->build_id));
	strbuf_addc(out, (char)entry->build_id_size);
	strbuf_add_zeros(out, 3);
	strbuf_add(out, entry->path, length);
	strbuf_add_zeros(out, padded - length);
}

/*
 * struct perf_record_header_tracing_data: { header; u32 size; }. header.size does not include the bytes that follow, whose
 * number must be a multiple of eight. perf looks for them right behind these 12 bytes.
 */
static void add_tracing_data_record(struct strbuf *out, const struct feature_bytes *feature, bool swap)
{
	size_t padded = align_up(feature->size, 8);

	record_header_add(out, PERF_RECORD_HEADER_TRACING_DATA, 0, PERF_RECORD_HEADER_SIZE + 4, swap);
	strbuf_add_u32(out, (uint32_t)padded, swap);
	strbuf_add(out, feature->bytes, feature->size);
	strbuf_add_zeros(out, padded - feature->size);
}

/*
 * perf does not expect these as records: they describe the container (with DIR_FORMAT, perf insists on a directory), or
 * perf reads them from a file only.
 */
static bool may_be_record(unsigned int feature)
{
	switch (feature) {
	case HEADER_TRACING_DATA:
	case HEADER_BUILD_ID:
	case HEADER_BRANCH_STACK:
	case HEADER_AUXTRACE:
	case HEADER_STAT:
	case HEADER_CACHE:
	case HEADER_DIR_FORMAT: return false;
	default: return true;
	}
}

bool feature_fits_record(unsigned int feature, size_t size)
{
	return may_be_record(feature) && size <= MAX_RECORD_SIZE_BYTES - FEATURE_RECORD_HEADER_SIZE;
}

/* struct perf_record_header_feature: { header; u64 feat_id; char data[]; } */
static void add_feature_record(struct strbuf *out, unsigned int number, const struct feature_bytes *feature,
			       bool swap)
{
	size_t padded = align_up(feature->size, 8);

	record_header_add(out, PERF_RECORD_HEADER_FEATURE, 0, FEATURE_RECORD_HEADER_SIZE + padded, swap);
	strbuf_add_u64(out, number, swap);
	strbuf_add(out, feature->bytes, feature->size);
	strbuf_add_zeros(out, padded - feature->size);
}

/* Entries of a BUILD_ID section are records except for their type, which is 0. */
static void add_entries_as_records(struct strbuf *out, const struct feature_bytes *section, bool swap)
{
	struct byte_reader r = byte_reader_over(section->bytes, section->size, swap);

	while (byte_reader_left(&r) >= PERF_RECORD_HEADER_SIZE) {
		uint16_t misc, size;
		const uint8_t *rest;

		byte_reader_skip(&r, sizeof(uint32_t));
		misc = byte_reader_u16(&r);
		size = byte_reader_u16(&r);
		if (size < PERF_RECORD_HEADER_SIZE)
			return;
		rest = byte_reader_bytes(&r, size - PERF_RECORD_HEADER_SIZE);
		if (!rest)
			return;
		record_header_add(out, PERF_RECORD_HEADER_BUILD_ID, misc, size, swap);
		strbuf_add(out, rest, size - PERF_RECORD_HEADER_SIZE);
	}
}

unsigned int feature_set_add_records(const struct feature_set *set, enum feature_record_form form,
				     struct strbuf *out)
{
	unsigned int left_out = 0;

	for (unsigned int i = 0; i < HEADER_FEATURE_BITS; i++) {
		const struct feature_bytes *feature = &set->features[i];

		if (!feature->set)
			continue;
		if (feature_fits_record(i, feature->size))
			add_feature_record(out, i, feature, set->swap);
		else if (i == HEADER_TRACING_DATA && form == FEATURE_RECORDS_IN_PIPE)
			add_tracing_data_record(out, feature, set->swap);
		else if (i == HEADER_BUILD_ID)
			add_entries_as_records(out, feature, set->swap);
		else if (i == HEADER_EVENT_DESC)
			left_out |= FEATURE_LEFT_OUT_EVENT_DESC;
	}
	for (size_t i = 0; i < set->build_id_count; i++)
		feature_add_build_id(out, PERF_RECORD_HEADER_BUILD_ID, &set->build_ids[i], set->swap);
	return left_out;
}

static void add_build_id_section(const struct feature_set *set, struct strbuf *out)
{
	const struct feature_bytes *first = &set->features[HEADER_BUILD_ID];

	if (first->set)
		strbuf_add(out, first->bytes, first->size);
	for (size_t i = 0; i < set->build_id_count; i++)
		feature_add_build_id(out, 0, &set->build_ids[i], set->swap);
}

static bool has_feature(const struct feature_set *set, unsigned int number)
{
	return set->features[number].set || (number == HEADER_BUILD_ID && set->build_id_count > 0);
}

void feature_set_tell_layout(struct feature_set *set)
{
	struct strbuf empty = STRBUF_INIT;
	bool any = false;

	for (unsigned int i = 0; i < 64; i++) /* features whose bits are in the same word as HOSTNAME's */
		any = any || has_feature(set, i);
	if (!set->swap || !any || has_feature(set, HEADER_HOSTNAME))
		return;
	strbuf_add_u32(&empty, STRING_ALIGNMENT, true);
	strbuf_add_zeros(&empty, STRING_ALIGNMENT);
	feature_set_put(set, HEADER_HOSTNAME, empty.bytes, empty.size);
	strbuf_fini(&empty);
}

void feature_set_add_table(const struct feature_set *set, struct strbuf *out, uint64_t table_offset,
			   uint64_t feature_bits[4])
{
	uint64_t section_offset = table_offset;
	struct strbuf sections = STRBUF_INIT;

	memset(feature_bits, 0, 4 * sizeof(feature_bits[0]));
	for (unsigned int i = 0; i < HEADER_FEATURE_BITS; i++)
		section_offset += has_feature(set, i) ? 2 * sizeof(uint64_t) : 0;
	for (unsigned int i = 0; i < HEADER_FEATURE_BITS; i++) {
		const struct feature_bytes *feature = &set->features[i];
		size_t start = sections.size;

		if (!has_feature(set, i))
			continue;
		feature_bits[i / 64] |= (uint64_t)1 << i % 64;
		if (feature->section_offset) {
			strbuf_add_u64(out, feature->section_offset, set->swap);
			strbuf_add_u64(out, feature->size, set->swap);
			continue;
		}
		if (i == HEADER_BUILD_ID)
			add_build_id_section(set, &sections);
		else
			strbuf_add(&sections, feature->bytes, feature->size);
		strbuf_add_u64(out, section_offset + start, set->swap);
		strbuf_add_u64(out, sections.size - start, set->swap);
	}
	strbuf_add(out, sections.bytes, sections.size);
	strbuf_fini(&sections);
}
