/*
 * The pieces of perf maps in a recording (map_piece.h). They are collected as their records are read; if a reader needs
 * names before the last record (xprof script), the file is searched for all of them.
 */

#include <string.h>

#include "format/map_piece.h"
#include "format/perf_file_state.h"

/* The recorder stores less. Without a limit, a pipe could take any amount of memory. */
enum { KEPT_MAX_BYTES = 512 << 20 };

static void keep(struct perf_file *file, const struct event *event)
{
	const uint32_t size = (uint32_t)event->payload_size;
	struct map_piece piece;

	if (!map_piece_decode(&piece, event) || file->map_pieces.size + sizeof(size) + size > KEPT_MAX_BYTES)
		return;
	strbuf_add(&file->map_pieces, &size, sizeof(size));
	strbuf_add(&file->map_pieces, event->payload, size);
}

void perf_file_keep_map_piece(struct perf_file *file, const struct event *event)
{
	if (!file->map_pieces_are_all)
		keep(file, event);
}

/* AUXTRACE { header; u64 size; … } precedes the trace, which header.size does not include. */
static bool skip_trace(struct record_source *source, const struct event *event)
{
	struct byte_reader r = event_payload(event);
	const uint64_t size = byte_reader_u64(&r);

	return record_source_skip(source, size, NULL) == 1;
}

/* Reads headers only. Skips compressed records, because the recorder never compresses map pieces. */
static void find_all(struct perf_file *file)
{
	const struct mapped_file *map = &file->maps[0];
	const uint64_t start = file->header.pipe ? PERF_PIPE_HEADER_SIZE : file->header.data.offset;
	const uint64_t end = (uint64_t)(file->mapped_records.end - map->bytes);
	struct byte_reader bytes =
		mapped_file_reader(map, start, end > start ? end - start : 0, file->header.swap);
	struct record_source source = {
		.next = bytes.next, .end = bytes.end, .file_offset = start, .swap = file->header.swap
	};
	struct event event;

	strbuf_reset(&file->map_pieces);
	while (record_source_next(&source, &event, NULL) == RECORD_OK) {
		if (event.type == PERF_RECORD_EVENT_UPDATE)
			keep(file, &event);
		if (event.type == PERF_RECORD_AUXTRACE && !skip_trace(&source, &event))
			break;
	}
	file->map_pieces_are_all = true;
}

int map_piece_next(struct perf_file *file, size_t *position, struct map_piece *piece)
{
	struct event event = { .type = PERF_RECORD_EVENT_UPDATE, .swap = file->header.swap };
	uint32_t size;

	if (!file->ended && !file->map_pieces_are_all && file->map_count == 1 && !file->init_records.size)
		find_all(file);
	if (*position >= file->map_pieces.size)
		return 0;
	memcpy(&size, file->map_pieces.bytes + *position, sizeof(size));
	event.payload = (const uint8_t *)file->map_pieces.bytes + *position + sizeof(size);
	event.payload_size = size;
	*position += sizeof(size) + size;
	return map_piece_decode(piece, &event);
}
