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
 * The thread continues in file order up to the first irregularity: damage, the end, or bytes behind a record
 * that its size does not count. From there on the reader decompresses by itself, with the stream as the
 * thread left it.
 */

#include "format/record_source.h"

struct decompress_piece { /* as much of the input as fills the output, or makes it longer at all */
	const uint8_t *in;
	size_t in_size, in_done;
	uint8_t *out;
	size_t out_size, out_done;
};

/* One step of the stream: 1, 0 when neither in_done nor out_done could grow, -1 with err when it is damaged. */
typedef int decompress_step(void *stream, struct decompress_piece *piece, struct error *err);

struct decompress_task;

/*
 * `records` begin with a compressed one; their bytes, and the stream, belong to the thread until
 * decompress_task_stop(). NULL when no thread can be had.
 */
struct decompress_task *decompress_task_start(const struct record_source *records, decompress_step *step,
					      void *stream);

/* Waits until the thread has ended. NULL is nothing. */
void decompress_task_stop(struct decompress_task *task);

enum decompress_status {
	DECOMPRESS_DAMAGED = -1, /* err has it */
	DECOMPRESS_END = 0,      /* the record has no more */
	DECOMPRESS_OK = 1,
	DECOMPRESS_YOURSELF, /* the thread has not come so far, and will not */
};

/*
 * Copies the decompressed bytes of the record at `file_offset`, piece by piece, to out[out_done] and on. Ask
 * for records in the order of the file; the rest of an earlier record is dropped.
 */
enum decompress_status decompress_task_take(struct decompress_task *task, uint64_t file_offset,
					    struct decompress_piece *piece, struct error *err);

/* COMPRESSED and COMPRESSED2: what of the record is the stream's. */
struct byte_reader decompress_task_stream_bytes(const struct event *event);

#endif
