/*
 * Joins split records. simpleperf cuts records that are too long for a 16-bit size into SPLIT records. Their
 * concatenated payloads are the record with its header; SPLIT_END marks its end (RecordFileWriter,
 * system/extras/simpleperf/record_file_writer.cpp).
 */

#include <inttypes.h>

#include "base/xalloc.h"
#include "format/perf_file_state.h"

enum { JOINED_MAX_BYTES = 256 * 1024 * 1024 }; /* limit for a file; the symbols of a kernel take 10 MiB */

static void note_loss(struct perf_file *file, const char *reason)
{
	perf_file_note_damage(file, file->split_offset, 1, file->split.size, "%s", reason);
	strbuf_reset(&file->split);
}

static void add_piece(struct perf_file *file, const struct event *event)
{
	if (file->split.size == 0)
		file->split_offset = event->file_offset;
	if (file->joined_bytes + file->split.size + event->payload_size > JOINED_MAX_BYTES) {
		note_loss(file, "split records of more than 256 MiB in total");
		return;
	}
	strbuf_add(&file->split, event->payload, event->payload_size);
}

/* Keeps the bytes until the file is closed, as long as events of a mapped file are valid. */
static const uint8_t *keep_joined(struct perf_file *file)
{
	size_t number = file->joined_count++;

	file->joined_records = array_grow(file->joined_records, &file->joined_capacity, file->joined_count,
					  sizeof(file->joined_records[0]));
	file->joined_bytes += file->split.size;
	file->joined_records[number] = strbuf_detach(&file->split);
	return (const uint8_t *)file->joined_records[number];
}

static int join(struct perf_file *file, struct event *event)
{
	const size_t size = file->split.size;
	struct byte_reader r;
	uint32_t type;

	if (size < PERF_RECORD_HEADER_SIZE) {
		note_loss(file, "SPLIT_END without any pieces of a record before it");
		return 0;
	}
	r = byte_reader_over(keep_joined(file), size, event->swap);
	type = byte_reader_u32(&r);
	byte_reader_skip(&r, sizeof(uint32_t)); /* the size: that of the joined pieces is used instead */
	*event = (struct event){ .type = type,
				 .size = (uint32_t)size,
				 .payload = r.next,
				 .payload_size = size - PERF_RECORD_HEADER_SIZE,
				 .file_offset = file->split_offset,
				 .compressed_size = event->compressed_size,
				 .swap = event->swap };
	return 1;
}

int perf_file_join_split(struct perf_file *file, struct event *event)
{
	if (event->type == SIMPLEPERF_RECORD_SPLIT) {
		add_piece(file, event);
		return 0;
	}
	if (event->type == SIMPLEPERF_RECORD_SPLIT_END)
		return join(file, event);
	if (file->split.size)
		note_loss(file, "the pieces of a record are followed by another record");
	return 1;
}
