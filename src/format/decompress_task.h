#ifndef XPROF_FORMAT_DECOMPRESS_TASK_H
#define XPROF_FORMAT_DECOMPRESS_TASK_H

/*
 * A background thread that decompresses the compressed records of a mapped file before the reader needs them,
 * so that decompressing and processing run at the same time.
 *
 *   file     C1 .. C2 .. C3 .. C4 .. ?            C: compressed, .. other records
 *   thread   decompresses C3
 *   queue    [C1 C1 C2]                           bounded: then the thread waits
 *   reader   takes C1
 *
 * The thread works in file order and stops at damage, at the end of the file, and at bytes behind a record
 * that are not part of its size. From there on the reader decompresses by itself and continues the stream
 * where the thread stopped.
 */

#include "format/record_source.h"

struct decompress_piece { /* one piece of input and output; either may end first */
	const uint8_t *in;
	size_t in_size, in_done;
	uint8_t *out;
	size_t out_size, out_done;
};

/*
 * One step of the stream. Returns 1, 0 if it neither read nor wrote a byte, -1 with err set if the stream is
 * damaged.
 */
typedef int decompress_step(void *stream, struct decompress_piece *piece, struct error *err);

struct decompress_task;

/*
 * Starts the thread. `records` begins with a compressed one; only the thread may use the bytes and the stream
 * until decompress_task_stop(). Returns NULL if no thread can be started.
 */
struct decompress_task *decompress_task_start(const struct record_source *records, decompress_step *step,
					      void *stream);

/* Ends the thread and waits for it. May be NULL. */
void decompress_task_stop(struct decompress_task *task);

enum decompress_status {
	DECOMPRESS_DAMAGED = -1, /* err is set */
	DECOMPRESS_END = 0,      /* the record has no more bytes */
	DECOMPRESS_OK = 1,
	DECOMPRESS_YOURSELF, /* the thread stopped before this record: the caller has to decompress it */
};

/*
 * Copies the next decompressed bytes of the record at `file_offset` to piece->out + piece->out_done. Call it
 * for records in file order; unread bytes of earlier records are dropped.
 */
enum decompress_status decompress_task_take(struct decompress_task *task, uint64_t file_offset,
					    struct decompress_piece *piece, struct error *err);

/* The compressed bytes in a COMPRESSED or COMPRESSED2 record. */
struct byte_reader decompress_task_stream_bytes(const struct event *event);

#endif
