#ifndef XPROF_RECORD_RING_BUFFER_H
#define XPROF_RECORD_RING_BUFFER_H

/*
 * One kernel ring of perf events, mapped: a control page (struct
 * perf_event_mmap_page, linux/perf_event.h) and a power of two of data pages.
 *
 * The kernel writes at data_head, we read from data_tail; both only grow, and
 * the place in the ring is the number modulo its size. A record may wrap around
 * the ring's end.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "base/strbuf.h"
#include "record/machine/perf_calls.h"

struct perf_event_mmap_page;

struct ring_buffer {
	struct perf_event_mmap_page *control;
	const uint8_t *data;
	size_t size_bytes;              /* of data; a power of two */
	const struct perf_calls *calls; /* set before it is mapped; NULL: the kernel's */
	uint64_t collected_to; /* of one that is written backwards: the head of the last ring_buffer_collect_backward() */
};

/* The bytes that are there, in order: the second span is empty unless they wrap. */
struct ring_spans {
	const uint8_t *first, *second;
	size_t first_size, second_size;
	uint64_t head; /* what to give to ring_buffer_release() when all was used */
};

/* Maps `data_pages` (a power of two) data pages of a perf event. -1 with errno_value set. */
int ring_buffer_map(struct ring_buffer *ring, int fd, size_t data_pages, struct error *err);
/* The same for a ring that the kernel writes backwards (attr.write_backward) and in which it overwrites the oldest records. */
int ring_buffer_map_backward(struct ring_buffer *ring, int fd, size_t data_pages, struct error *err);
void ring_buffer_unmap(struct ring_buffer *ring);

/* The bytes that the kernel has written since the last ring_buffer_release(), until which they stay. */
struct ring_spans ring_buffer_peek(const struct ring_buffer *ring);

/* Gives everything up to `head` back to the kernel. */
void ring_buffer_release(struct ring_buffer *ring, uint64_t head);

/*
 * Is so much of the ring full that the kernel may soon have no room for the next record? More than five eighths:
 * half full is what wakes the reader, and no reason to hurry.
 */
bool ring_buffer_is_pressed(const struct ring_buffer *ring);

/*
 * Appends the whole records of a ring that is written backwards, the oldest first, without those that were collected
 * before. The kernel must not write meanwhile.
 */
void ring_buffer_collect_backward(struct ring_buffer *ring, struct strbuf *records);

/*
 * A walk over the records of the spans: runs of whole records that lie together,
 * so large that they are worth a copy each, and so small that their room is soon given
 * back. A record that wraps comes as a run of its own, put together in `bounce`.
 */
struct ring_walk {
	struct ring_spans spans;
	size_t offset; /* from the start of spans.first */
};

enum {
	RING_RECORD_MAX_BYTES = 1 << 16, /* perf_event_header.size has 16 bits */
	RING_RUN_BYTES = 256 * 1024,     /* a run ends with the record that reaches them */
};

/*
 * 1 and a run, 0 at the end, -1 when a record's size is impossible (the ring's
 * remaining bytes cannot be used then). `visit` is called for each record of it.
 */
int ring_walk_next(struct ring_walk *walk, uint8_t bounce[static RING_RECORD_MAX_BYTES], const uint8_t **run,
		   size_t *run_size, void (*visit)(const uint8_t *record, size_t size, void *context),
		   void *context);

#endif
