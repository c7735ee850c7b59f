#ifndef XPROF_RECORD_RING_BUFFER_H
#define XPROF_RECORD_RING_BUFFER_H

/*
 * One kernel ring of perf events, mapped: a control page (struct perf_event_mmap_page, linux/perf_event.h)
 * and a power of two of data pages.
 *
 * The kernel writes at data_head, the recorder reads from data_tail; both only grow, and their position in
 * the ring is the value modulo the size of the ring. A record may wrap around the ring's end.
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
	const struct perf_calls *calls; /* set by the caller before mapping; NULL: the real system calls */
	/* backward rings: data_head at the last ring_buffer_collect_backward() and ring_buffer_mark_backward() */
	uint64_t collected_to, marked_at;
};

/* The unread bytes of a ring, in order. The second span is empty unless they wrap around its end. */
struct ring_spans {
	const uint8_t *first, *second;
	size_t first_size, second_size;
	uint64_t head; /* pass it to ring_buffer_release() when all bytes were used */
};

/*
 * Maps the ring of perf event `fd` with `data_pages` (a power of two). Returns 0, or -1 with err and its
 * errno_value.
 */
int ring_buffer_map(struct ring_buffer *ring, int fd, size_t data_pages, struct error *err);
/*
 * The same for a ring that the kernel writes backwards (attr.write_backward), overwriting the oldest records.
 */
int ring_buffer_map_backward(struct ring_buffer *ring, int fd, size_t data_pages, struct error *err);
void ring_buffer_unmap(struct ring_buffer *ring);

/*
 * The bytes that the kernel has written since the last ring_buffer_release(). They stay until the next one.
 */
struct ring_spans ring_buffer_peek(const struct ring_buffer *ring);

/* Gives everything up to `head` back to the kernel. */
void ring_buffer_release(struct ring_buffer *ring, uint64_t head);

/*
 * Is the ring more than five eighths full, so that the kernel may soon have no room for a record? The reader
 * is woken when it is half full, which is no reason to hurry.
 */
bool ring_buffer_is_pressed(const struct ring_buffer *ring);

/*
 * Appends the records of a ring that is written backwards, the oldest first. Records that were cut by
 * overwriting or collected before are left out. The kernel must not write meanwhile.
 */
void ring_buffer_collect_backward(struct ring_buffer *ring, struct strbuf *records);

/* Remembers how far the kernel has come with a ring that is written backwards. */
void ring_buffer_mark_backward(struct ring_buffer *ring);

/* Are the records of before the mark gone, overwritten or collected? */
bool ring_buffer_is_past_mark(const struct ring_buffer *ring);

/*
 * A walk over the records of spans. It hands out runs: whole records that lie together in memory,
 * large enough to be copied at once and small enough that the ring is soon released. A record
 * that wraps is a run of its own, assembled in `bounce`.
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
 * Returns 1 with the next run, 0 at the end, -1 if the size of a record is impossible: the
 * remaining bytes of the ring cannot be used then. `visit` is called for each record of the run.
 */
int ring_walk_next(struct ring_walk *walk, uint8_t bounce[static RING_RECORD_MAX_BYTES], const uint8_t **run,
		   size_t *run_size, void (*visit)(const uint8_t *record, size_t size, void *context),
		   void *context);

#endif
