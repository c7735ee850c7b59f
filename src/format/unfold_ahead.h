#ifndef XPROF_FORMAT_UNFOLD_AHEAD_H
#define XPROF_FORMAT_UNFOLD_AHEAD_H

/*
 * A background thread that decompresses the compressed records of a mapped file before the reader needs them,
 * so that decompressing and processing run at the same time.
 *
 *   file     C1 .. C2 .. C3 .. C4 .. ?            C: compressed, .. other records
 *   thread   decompresses C3
 *   queue    [C1 C1 C2]                           bounded: then the thread waits
 *   reader   takes C1
 *
 * The thread continues in file order up to the first irregularity: damage, the end, or bytes behind a record
 * that its size does not count. From there on the reader decompresses by itself, with the stream as the
 * thread left it.
 */

#include "format/record_source.h"

struct unfold_piece { /* as much of the input as fills the output, or makes it longer at all */
	const uint8_t *in;
	size_t in_size, in_done;
	uint8_t *out;
	size_t out_size, out_done;
};

/* One step of the stream: 1, 0 when neither in_done nor out_done could grow, -1 with err when it is damaged. */
typedef int unfold_step(void *stream, struct unfold_piece *piece, struct error *err);

struct unfold_ahead;

/*
 * `records` begin with a compressed one; their bytes, and the stream, belong to the thread until
 * unfold_ahead_stop(). NULL when no thread can be had.
 */
struct unfold_ahead *unfold_ahead_start(const struct record_source *records, unfold_step *step, void *stream);

/* Waits until the thread has ended. NULL is nothing. */
void unfold_ahead_stop(struct unfold_ahead *ahead);

enum unfold_status {
	UNFOLD_DAMAGED = -1, /* err has it */
	UNFOLD_END = 0,      /* the record has no more */
	UNFOLD_OK = 1,
	UNFOLD_YOURSELF, /* the thread has not come so far, and will not */
};

/*
 * Copies the decompressed bytes of the record at `file_offset`, piece by piece, to out[out_done] and on. Ask
 * for records in the order of the file; the rest of an earlier record is dropped.
 */
enum unfold_status unfold_ahead_take(struct unfold_ahead *ahead, uint64_t file_offset,
				     struct unfold_piece *piece, struct error *err);

/* COMPRESSED and COMPRESSED2: what of the record is the stream's. */
struct byte_reader unfold_ahead_stream_bytes(const struct event *event);

#endif
