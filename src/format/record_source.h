#ifndef XPROF_FORMAT_RECORD_SOURCE_H
#define XPROF_FORMAT_RECORD_SOURCE_H

/*
 * A row of records, wherever their bytes come from: a mapped file (all bytes
 * are at hand), a pipe (a window that moves), a decompressor (a window that is
 * filled from compressed records). The source is a window [next, end) and a
 * way to refill it.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "format/event.h"

/*
 * Makes at least `size` bytes available in [next, end), keeping those that are
 * there already: 1, or 0 when the source ends before that, or -1 when reading fails.
 */
typedef int record_source_refill(void *context, size_t size, struct error *err);

struct record_source {
	const uint8_t *next, *end;
	uint64_t file_offset; /* of next */
	bool swap;
	record_source_refill *refill; /* NULL when there is no more than what is at hand */
	void *context;
};

enum record_status {
	RECORD_READ_FAILED = -1, /* err has it */
	RECORD_END = 0,
	RECORD_OK = 1,
	RECORD_CUT,       /* the source ends inside a record; its first bytes are still in the window */
	RECORD_TOO_SMALL, /* header.size < 8: where the next record begins is unknown */
	RECORD_TOO_LARGE, /* a 32-bit size that no window holds */
	RECORD_TEXT, /* no record but what perf record says on standard error, which got into the same pipe */
};

/* The next record; after RECORD_OK the source stands behind it. */
enum record_status record_source_next(struct record_source *source, struct event *event, struct error *err);

/* 1 when `size` bytes are at hand, 0 when the source ends before that, -1 on failure. */
int record_source_need(struct record_source *source, size_t size, struct error *err);

/* Steps over `size` bytes, however many: 1, 0 when the source ends before that, -1 on failure. */
int record_source_skip(struct record_source *source, uint64_t size, struct error *err);

#endif
