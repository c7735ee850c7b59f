/*
 * The acquire load of data_head and the release store of data_tail are all the synchronization with the kernel. The walk
 * hands out pointers into the ring, and copies only a record that wraps around its end.
 */
#include "record/ring_buffer.h"

#include <errno.h>
#include <linux/perf_event.h>
#include <stdbool.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static int map_ring(struct ring_buffer *ring, int fd, size_t data_pages, int protection, struct error *err)
{
	const struct perf_calls *calls = ring->calls ? ring->calls : &perf_calls_system;
	size_t page_bytes = (size_t)sysconf(_SC_PAGESIZE);
	void *base = calls->map((1 + data_pages) * page_bytes, protection, fd);

	if (base == MAP_FAILED) {
		int mmap_errno = errno;

		return error_set_errno(err, mmap_errno, "cannot map a ring of %zu KiB",
				       data_pages * page_bytes / 1024);
	}
	ring->control = base;
	ring->data = (const uint8_t *)base + page_bytes;
	ring->size_bytes = data_pages * page_bytes;
	ring->collected_to = 0;
	return 0;
}

int ring_buffer_map(struct ring_buffer *ring, int fd, size_t data_pages, struct error *err)
{
	return map_ring(ring, fd, data_pages, PROT_READ | PROT_WRITE, err);
}

/* Without PROT_WRITE the kernel does not wait for a reader. */
int ring_buffer_map_backward(struct ring_buffer *ring, int fd, size_t data_pages, struct error *err)
{
	return map_ring(ring, fd, data_pages, PROT_READ, err);
}

void ring_buffer_unmap(struct ring_buffer *ring)
{
	if (ring->control)
		munmap(ring->control, ring->size_bytes + (size_t)sysconf(_SC_PAGESIZE));
	ring->control = NULL;
}

struct ring_spans ring_buffer_peek(const struct ring_buffer *ring)
{
	/* Pairs with the barrier in the kernel's perf_output_put_handle(): the bytes up to the head are complete. */
	uint64_t head = __atomic_load_n(&ring->control->data_head, __ATOMIC_ACQUIRE);
	uint64_t tail = ring->control->data_tail;
	size_t size = (size_t)(head - tail);
	size_t start = (size_t)(tail & (ring->size_bytes - 1));
	size_t to_end = ring->size_bytes - start;
	struct ring_spans spans = { .first = ring->data + start, .first_size = size, .head = head };

	if (size > to_end) {
		spans.first_size = to_end;
		spans.second = ring->data;
		spans.second_size = size - to_end;
	}
	return spans;
}

void ring_buffer_release(struct ring_buffer *ring, uint64_t head)
{
	/* All reads must be complete before the kernel may overwrite the bytes. */
	__atomic_store_n(&ring->control->data_tail, head, __ATOMIC_RELEASE);
}

bool ring_buffer_is_pressed(const struct ring_buffer *ring)
{
	uint64_t head = __atomic_load_n(&ring->control->data_head, __ATOMIC_RELAXED);

	return head - ring->control->data_tail > ring->size_bytes / 8 * 5;
}

/* Copies the bytes [offset, offset + size) of the spans, which may wrap. */
static void copy_from_spans(const struct ring_spans *spans, size_t offset, void *bytes, size_t size)
{
	size_t in_first = offset < spans->first_size ? spans->first_size - offset : 0;

	if (in_first > size)
		in_first = size;
	memcpy(bytes, spans->first + offset, in_first);
	if (in_first < size)
		memcpy((uint8_t *)bytes + in_first, spans->second + (offset + in_first - spans->first_size),
		       size - in_first);
}

/* Size of the record at `offset`; 0 if the header is invalid. */
static size_t record_size(const struct ring_spans *spans, size_t offset)
{
	size_t left = spans->first_size + spans->second_size - offset;
	struct perf_event_header header;

	if (left < sizeof(header))
		return 0;
	copy_from_spans(spans, offset, &header, sizeof(header));
	return header.size >= sizeof(header) && header.size <= left ? header.size : 0;
}

int ring_walk_next(struct ring_walk *walk, uint8_t bounce[static RING_RECORD_MAX_BYTES], const uint8_t **run,
		   size_t *run_size, void (*visit)(const uint8_t *record, size_t size, void *context),
		   void *context)
{
	const struct ring_spans *spans = &walk->spans;
	size_t total = spans->first_size + spans->second_size;
	bool in_first = walk->offset < spans->first_size;
	const uint8_t *start =
		in_first ? spans->first + walk->offset : spans->second + (walk->offset - spans->first_size);
	size_t together = in_first ? spans->first_size - walk->offset : total - walk->offset;
	size_t used = 0;

	*run = start;
	while (walk->offset < total) {
		size_t size = record_size(spans, walk->offset);

		if (size == 0 && used == 0)
			return -1;
		if (size == 0)
			break;
		if (size > together - used) { /* it wraps */
			if (used)
				break;
			copy_from_spans(spans, walk->offset, bounce, size);
			*run = bounce;
			used = size;
			walk->offset += size;
			visit(bounce, size, context);
			break;
		}
		visit(start + used, size, context);
		used += size;
		walk->offset += size;
		if (used == together || used >= RING_RUN_BYTES)
			break;
	}
	*run_size = used;
	return used > 0;
}

/*
 * The head falls, starting at 0, so the latest record is at the head and older ones follow. The oldest may be overwritten in
 * part: the walk ends before it.
 */
void ring_buffer_collect_backward(struct ring_buffer *ring, struct strbuf *records)
{
	const uint64_t head = __atomic_load_n(&ring->control->data_head, __ATOMIC_ACQUIRE);
	const uint64_t written = ring->collected_to - head;
	const size_t size = written < ring->size_bytes ? (size_t)written : ring->size_bytes;
	const size_t start = (size_t)(head & (ring->size_bytes - 1)), to_end = ring->size_bytes - start;
	const struct ring_spans spans = { .first = ring->data + start,
					  .first_size = size < to_end ? size : to_end,
					  .second = ring->data,
					  .second_size = size < to_end ? 0 : size - to_end };
	const size_t before = records->size;
	size_t walked = 0, record, at;

	for (; walked < size && (record = record_size(&spans, walked)) != 0; walked += record)
		;
	strbuf_add_zeros(records, walked);
	at = records->size;
	for (walked = 0; at > before; walked += record) {
		record = record_size(&spans, walked);
		at -= record;
		copy_from_spans(&spans, walked, records->bytes + at, record);
	}
	ring->collected_to = head;
}

void ring_buffer_mark_backward(struct ring_buffer *ring)
{
	ring->marked_at = __atomic_load_n(&ring->control->data_head, __ATOMIC_RELAXED);
}

bool ring_buffer_is_past_mark(const struct ring_buffer *ring)
{
	const uint64_t head = __atomic_load_n(&ring->control->data_head, __ATOMIC_RELAXED);
	const bool collected = (int64_t)(ring->marked_at - ring->collected_to) >= 0; /* heads fall */

	return collected || ring->marked_at - head >= ring->size_bytes;
}
