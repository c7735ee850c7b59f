#ifndef XPROF_FORMAT_MAP_PIECE_H
#define XPROF_FORMAT_MAP_PIECE_H

/*
 * The perf map of a process (/tmp/perf-PID.map: the names of its run-time code), kept in the recording, piece by piece
 * as the map grew. Each piece is an EVENT_UPDATE record of a type that other readers do not know and step over
 * (doc/decisions/0011-names-of-run-time-code-are-kept.md):
 *
 *	{ header; u64 type = EVENT_UPDATE_MAP_PIECE; u64 id = 0; u32 pid; u32 flags; u32 text_size; u32 packed_size;
 *	  u8 bytes[packed_size]; padding to 8 }
 *
 * The bytes are whole lines of the map, a zstd frame if MAP_PIECE_ZSTD is set. The map is what all pieces of a process
 * are one after the other.
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
	MAP_PIECE_LAST = 1 << 1, /* the process ended, or the recording: no more will come */
	MAP_PIECE_CUT = 1 << 2,  /* the map was larger than what is kept: the rest is missing */
};

/* The most text in one piece; it fits into a record even if zstd cannot shrink it. */
enum { MAP_PIECE_TEXT_MAX_BYTES = 60 * 1024 };

struct map_piece {
	uint32_t pid;
	uint32_t flags; /* enum map_piece_flag */
	uint32_t text_size;
	const uint8_t *bytes; /* of the record */
	uint32_t packed_size;
};

/* Appends a record with `size` bytes of text, MAP_PIECE_TEXT_MAX_BYTES at most; 0 where only the flags matter. */
void map_piece_append(struct strbuf *records, uint32_t pid, const char *text, size_t size,
		      unsigned int flags);

/* Is it a piece? The bytes are the event's. False for any other record, and for a damaged piece. */
bool map_piece_decode(struct map_piece *piece, const struct event *event);

struct perf_file;

/*
 * The pieces of a recording, in the order of the file: 1 and *piece, or 0 behind the last one. `position` is 0 at first.
 * Before the last record was read a file is gone through for them; of a pipe those are given that have come by then.
 */
int map_piece_next(struct perf_file *file, size_t *position, struct map_piece *piece);

/* Adds its text. False when it cannot be decompressed: it is damaged, or this build has no libzstd. */
bool map_piece_add_text(const struct map_piece *piece, struct strbuf *text);

#endif
