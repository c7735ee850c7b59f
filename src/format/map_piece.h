#ifndef XPROF_FORMAT_MAP_PIECE_H
#define XPROF_FORMAT_MAP_PIECE_H

/*
 * The perf map of a process (/tmp/perf-PID.map: the names of its run-time code), kept in the recording, piece by piece
 * as the map grew. Each piece is an EVENT_UPDATE record of a type that other readers skip
 * (doc/decisions/0011-names-of-run-time-code-are-kept.md):
 *
 *	{ header; u64 type = EVENT_UPDATE_MAP_PIECE; u64 id = 0; u32 pid; u32 flags; u32 text_size; u32 packed_size;
 *	  u8 bytes[packed_size]; padding to 8 }
 *
 * The bytes are whole lines of the map, compressed as a zstd frame if MAP_PIECE_ZSTD is set. The concatenated pieces
 * of a process are its map.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/byte_reader.h"
#include "base/strbuf.h"
#include "format/event.h"

#define EVENT_UPDATE_MAP_PIECE UINT64_C(0x70616d666f727078) /* "xprofmap" in a little-endian file */

enum map_piece_flag {
	MAP_PIECE_ZSTD = 1 << 0,
	MAP_PIECE_LAST = 1 << 1, /* the process or the recording ended: this is the last piece */
	MAP_PIECE_CUT = 1 << 2,  /* the map was larger than the limit: its rest is missing */
};

/* The most text in one piece; it fits into a record even if zstd cannot shrink it. */
enum { MAP_PIECE_TEXT_MAX_BYTES = 60 * 1024 };

struct map_piece {
	uint32_t pid;
	uint32_t flags; /* enum map_piece_flag */
	uint32_t text_size;
	const uint8_t *bytes; /* points into the record */
	uint32_t packed_size;
};

/* Appends a record with `size` bytes of text, at most MAP_PIECE_TEXT_MAX_BYTES; may be 0, for the flags alone. */
void map_piece_append(struct strbuf *records, uint32_t pid, const char *text, size_t size,
		      unsigned int flags);

/*
 * Decodes a piece, whose bytes point into the event. Returns false for other records and for a damaged piece.
 */
bool map_piece_decode(struct map_piece *piece, const struct event *event);

struct perf_file;

/*
 * Iterates over the pieces of a recording in file order: returns 1 and *piece, or 0 at the end. *position must be 0 at
 * first. If records are still unread, a file is searched to its end; a pipe gives only the pieces read so far.
 */
int map_piece_next(struct perf_file *file, size_t *position, struct map_piece *piece);

/*
 * Appends the text of a piece. Returns false if it cannot be decompressed: it is damaged, or xprof was built
 * without libzstd.
 */
bool map_piece_add_text(const struct map_piece *piece, struct strbuf *text);

#endif
