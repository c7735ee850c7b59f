/*
 * Builds everything from two pieces, the bytes of an attr and its ids, which the functions below put into features and
 * records. An attr given as bytes is copied and padded with zeros; only its size member changes.
 */
#include "format/write/event_encode.h"

#include <string.h>

#include "format/perf_abi.h"
#include "format/record_header.h"
#include "format/write/feature_encode.h"

enum {
	ATTR_MAX_BYTES = 4096, /* the kernel's limit, PAGE_SIZE in perf_copy_attr() */
	ATTR_SIZE_FIELD_OFFSET = offsetof(struct perf_event_attr, size),
	RECORD_MAX_BYTES = UINT16_MAX & ~7, /* header.size has 16 bits */
};

int written_events_init(struct written_events *events, const struct written_event *items, size_t count,
			bool swap, const char *file_name, struct error *err)
{
	size_t largest = 0;

	*events = (struct written_events){
		.items = items, .count = count, .swap = swap, .file_name = file_name
	};
	for (size_t i = 0; i < count; i++) {
		size_t size = items[i].attr_bytes ? items[i].attr_size : WRITTEN_ATTR_BYTES;

		if (size < PERF_ATTR_SIZE_VER0 || size > ATTR_MAX_BYTES)
			return error_set(err, "%s: event %s: an attribute of %zu bytes is not supported",
					 file_name, items[i].name, size);
		largest = size > largest ? size : largest;
	}
	events->attr_bytes = (largest + 7) & ~(size_t)7;
	return 0;
}

void written_events_add_attr(const struct written_events *events, size_t number, struct strbuf *out)
{
	const struct written_event *event = &events->items[number];
	unsigned char bytes[ATTR_MAX_BYTES] = { 0 };
	const void *attr = event->attr_bytes;
	size_t size = event->attr_size;
	uint32_t written_size = (uint32_t)events->attr_bytes;

	if (!attr) {
		attr = event->attr;
		size = event->attr->size ? event->attr->size : sizeof(*event->attr);
		if (size > sizeof(*event->attr))
			size = sizeof(*event->attr);
	}
	memcpy(bytes, attr, size < events->attr_bytes ? size : events->attr_bytes);
	if (events->swap)
		written_size = __builtin_bswap32(written_size);
	memcpy(bytes + ATTR_SIZE_FIELD_OFFSET, &written_size, sizeof(written_size));
	strbuf_add(out, bytes, events->attr_bytes);
}

void written_events_add_ids(const struct written_events *events, size_t number, struct strbuf *out)
{
	const struct written_event *event = &events->items[number];

	for (size_t i = 0; i < event->id_count; i++)
		strbuf_add_u64(out, event->ids[i], events->swap);
}

/* --- features ------------------------------------------------------------------ */

/* HEADER_EVENT_DESC: u32 nr, u32 attr_size, then for each event: attr, u32 nr_ids, name, ids */
void written_events_add_desc(const struct written_events *events, struct strbuf *out)
{
	strbuf_add_u32(out, (uint32_t)events->count, false);
	strbuf_add_u32(out, (uint32_t)events->attr_bytes, false);
	for (size_t i = 0; i < events->count; i++) {
		written_events_add_attr(events, i, out);
		strbuf_add_u32(out, (uint32_t)events->items[i].id_count, false);
		feature_add_string(out, events->items[i].name);
		written_events_add_ids(events, i, out);
	}
}

static uint32_t group_count(const struct written_events *events)
{
	uint32_t count = 0;

	for (size_t i = 0; i < events->count; i++)
		count += events->items[i].group_size >= 2;
	return count;
}

/* HEADER_GROUP_DESC: u32 nr, then for each group: name, u32 number of the leader, u32 number of events */
bool written_events_add_groups(const struct written_events *events, struct strbuf *out)
{
	const uint32_t groups = group_count(events);

	if (groups == 0)
		return false;
	strbuf_add_u32(out, groups, false);
	for (size_t i = 0; i < events->count; i++) {
		if (events->items[i].group_size < 2)
			continue;
		feature_add_string(out, "{anon_group}"); /* perf's name for a group without one */
		strbuf_add_u32(out, (uint32_t)i, false);
		strbuf_add_u32(out, (uint32_t)events->items[i].group_size, false);
	}
	return true;
}

bool written_events_have_branches(const struct written_events *events)
{
	for (size_t i = 0; i < events->count; i++) {
		const struct perf_event_attr *attr = events->items[i].attr;

		if (attr && attr->sample_type & PERF_SAMPLE_BRANCH_STACK)
			return true;
	}
	return false;
}

/* --- records ------------------------------------------------------------------- */

/* PERF_RECORD_HEADER_ATTR: { header; attr; u64 ids[] } */
int written_events_add_attr_records(const struct written_events *events, struct strbuf *out,
				    struct error *err)
{
	const size_t fixed_size = PERF_RECORD_HEADER_SIZE + events->attr_bytes;

	for (size_t i = 0; i < events->count; i++) {
		const struct written_event *event = &events->items[i];
		const size_t size = fixed_size + event->id_count * sizeof(uint64_t);

		if (size > RECORD_MAX_BYTES)
			return error_set(
				err,
				"%s: event %s has %zu ids, more than a record in a pipe can hold (%zu): write to a "
				"file with -o FILE, or record fewer threads",
				events->file_name, event->name, event->id_count,
				(RECORD_MAX_BYTES - fixed_size) / 8);
		record_header_add(out, PERF_RECORD_HEADER_ATTR, 0, size, events->swap);
		written_events_add_attr(events, i, out);
		written_events_add_ids(events, i, out);
	}
	return 0;
}

/* PERF_RECORD_EVENT_UPDATE: { header; u64 type; u64 id; char name[] } */
void written_events_add_name_records(const struct written_events *events, struct strbuf *out)
{
	enum { EVENT_UPDATE_NAME = 2, FIXED_SIZE = PERF_RECORD_HEADER_SIZE + 16 };

	for (size_t i = 0; i < events->count; i++) {
		const struct written_event *event = &events->items[i];
		const size_t length = strnlen(event->name, RECORD_MAX_BYTES - FIXED_SIZE - 8);
		const size_t padded = (length + 8) & ~(size_t)7;

		if (event->id_count == 0)
			continue;
		record_header_add(out, PERF_RECORD_EVENT_UPDATE, 0, FIXED_SIZE + padded, events->swap);
		strbuf_add_u64(out, EVENT_UPDATE_NAME, events->swap);
		strbuf_add_u64(out, event->ids[0], events->swap);
		strbuf_add(out, event->name, length);
		strbuf_add_zeros(out, padded - length);
	}
}
