/*
 * Encodes and decodes one piece. A piece that zstd cannot shrink is stored as it is, so writing also works without libzstd.
 * map_pieces.c collects the pieces of a file.
 */
#include "format/map_piece.h"

#include <stdlib.h>

#include "base/xalloc.h"
#include "format/perf_abi.h"
#include "format/record_header.h"

#ifdef HAVE_LIBZSTD
#include <zstd.h>
#endif

enum {
	HEAD_BYTES = 8 + 2 * 8 + 4 * 4
}; /* size of everything in front of the bytes, record header included */

/* Compresses into `room`; 0 if that does not save space, or without libzstd. */
static size_t pack(void *room, size_t room_bytes, const char *text, size_t size)
{
#ifdef HAVE_LIBZSTD
	enum { LEVEL = 1 }; /* on a Java map, level 3 is 4% smaller and takes twice the time */
	size_t packed = size ? ZSTD_compress(room, room_bytes, text, size, LEVEL) : 0;

	return ZSTD_isError(packed) || packed >= size ? 0 : packed;
#else
	(void)room;
	(void)room_bytes;
	(void)text;
	(void)size;
	return 0;
#endif
}

void map_piece_append(struct strbuf *records, uint32_t pid, const char *text, size_t size, unsigned int flags)
{
	uint8_t *room = size ? xmalloc(size) : NULL;
	size_t packed = pack(room, size, text, size);
	const size_t stored = packed ? packed : size;
	const size_t padding = -stored & 7;

	record_header_add(records, PERF_RECORD_EVENT_UPDATE, 0, HEAD_BYTES + stored + padding, false);
	strbuf_add_u64(records, EVENT_UPDATE_MAP_PIECE, false);
	strbuf_add_u64(records, 0, false);
	strbuf_add_u32(records, pid, false);
	strbuf_add_u32(records, flags | (packed ? (unsigned int)MAP_PIECE_ZSTD : 0), false);
	strbuf_add_u32(records, (uint32_t)size, false);
	strbuf_add_u32(records, (uint32_t)stored, false);
	if (stored)
		strbuf_add(records, packed ? (const char *)room : text, stored);
	strbuf_add_zeros(records, padding);
	free(room);
}

bool map_piece_decode(struct map_piece *piece, const struct event *event)
{
	struct byte_reader r = event_payload(event), bytes;

	if (event->type != PERF_RECORD_EVENT_UPDATE || byte_reader_u64(&r) != EVENT_UPDATE_MAP_PIECE)
		return false;
	byte_reader_skip(&r, 8);
	piece->pid = byte_reader_u32(&r);
	piece->flags = byte_reader_u32(&r);
	piece->text_size = byte_reader_u32(&r);
	piece->packed_size = byte_reader_u32(&r);
	bytes = byte_reader_sub(&r, piece->packed_size);
	piece->bytes = bytes.next;
	return byte_reader_ok(&r) && piece->text_size <= MAP_PIECE_TEXT_MAX_BYTES;
}

static bool add_unpacked(const struct map_piece *piece, struct strbuf *text)
{
#ifdef HAVE_LIBZSTD
	const size_t before = text->size;
	size_t size;

	strbuf_add_zeros(text, piece->text_size);
	size = ZSTD_decompress(text->bytes + before, piece->text_size, piece->bytes, piece->packed_size);
	if (!ZSTD_isError(size) && size == piece->text_size)
		return true;
	strbuf_cut(text, before);
	return false;
#else
	(void)piece;
	(void)text;
	return false;
#endif
}

bool map_piece_add_text(const struct map_piece *piece, struct strbuf *text)
{
	if (piece->text_size == 0)
		return true;
	if (piece->flags & MAP_PIECE_ZSTD)
		return add_unpacked(piece, text);
	if (piece->packed_size != piece->text_size)
		return false;
	strbuf_add(text, piece->bytes, piece->text_size);
	return true;
}
