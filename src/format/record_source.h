#ifndef XPROF_FORMAT_RECORD_SOURCE_H
#define XPROF_FORMAT_RECORD_SOURCE_H

/*
 * A sequence of records from any source: a mapped file (all bytes are available), a pipe (a moving window), a
 * decompressor (a window that is filled from compressed records). A source is a window [next, end) and a
 * function that refills it.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "format/event.h"

/*
 * Makes at least `size` bytes available in [next, end), keeping those that are there already. Returns 1, 0 if
 * the source ends before that, -1 with err set on a read error.
 */
typedef int record_source_refill(void *context, size_t size, struct error *err);

struct record_source {
	const uint8_t *next, *end;
	uint64_t file_offset; /* of next */
	bool swap;
	record_source_refill *refill; /* NULL: there are no more bytes than [next, end) */
	void *context;
};

enum record_status {
	RECORD_READ_FAILED = -1, /* err is set */
	RECORD_END = 0,
	RECORD_OK = 1,
	RECORD_CUT,       /* the source ends inside a record; its first bytes are still in the window */
	RECORD_TOO_SMALL, /* header.size < 8, so the start of the next record is unknown */
	RECORD_TOO_LARGE, /* a 32-bit size larger than any window */
	RECORD_TEXT, /* not a record, but messages of perf record, whose standard error went into the same
			pipe */
};

/* Reads the next record. After RECORD_OK the source is positioned behind it. */
enum record_status record_source_next(struct record_source *source, struct event *event, struct error *err);

/* Makes `size` bytes available. Returns 1, 0 if the source ends before that, -1 with err set on failure. */
int record_source_need(struct record_source *source, size_t size, struct error *err);

/* Skips `size` bytes, any number. Returns 1, 0 if the source ends before that, -1 with err set on failure. */
int record_source_skip(struct record_source *source, uint64_t size, struct error *err);

#endif
