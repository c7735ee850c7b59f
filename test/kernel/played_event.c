/*
 * A ring is a memfd that the recorder and this program map: a page with the positions, then the data. The name of the memfd
 * contains the event's number, so that /proc identifies any descriptor of the recorder, however the recorder got it.
 */
#include "kernel/played_event.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/xalloc.h"

enum { FIRST_ID = 1000 };

void played_events_init(struct played_events *events)
{
	*events = (struct played_events){ 0 };
}

void played_events_fini(struct played_events *events)
{
	for (size_t i = 0; i < events->count; i++) {
		struct played_ring *ring = &events->items[i].ring;

		if (ring->control)
			munmap(ring->control, ring->size_bytes + (size_t)sysconf(_SC_PAGESIZE));
		close(events->items[i].memory);
	}
	free(events->items);
}

int played_events_add(struct played_events *events, const struct perf_event_attr *attr, pid_t pid, int cpu,
		      int leader, pid_t owner, struct error *err)
{
	const int number = (int)events->count;
	struct played_event *event;
	char name[32];
	int memory;

	snprintf(name, sizeof(name), "played_event-%d", number);
	memory = memfd_create(name, MFD_CLOEXEC);
	if (memory < 0)
		return error_set_errno(err, errno, "no memory for event %d", number);
	events->items =
		array_grow(events->items, &events->capacity, events->count + 1, sizeof(*events->items));
	event = &events->items[events->count++];
	*event = (struct played_event){ .attr = *attr,
					.pid = pid,
					.cpu = cpu,
					.owner = owner,
					.leader = leader < 0 ? number : leader,
					.output = number,
					.memory = memory,
					.is_enabled = !attr->disabled,
					.id = FIRST_ID + (uint64_t)number };
	return number;
}

int played_events_find(const struct played_events *events, pid_t pid, int fd)
{
	char path[64], target[128];
	ssize_t size;
	int number;

	snprintf(path, sizeof(path), "/proc/%d/fd/%d", (int)pid, fd);
	size = readlink(path, target, sizeof(target) - 1);
	if (size < 0)
		return -1;
	target[size] = '\0';
	if (sscanf(target, "/memfd:played_event-%d", &number) != 1 || number < 0 ||
	    (size_t)number >= events->count)
		return -1;
	return number;
}

size_t played_events_open_count(const struct played_events *events)
{
	size_t count = 0;

	for (size_t i = 0; i < events->count; i++)
		count += !events->items[i].is_closed;
	return count;
}

int played_event_map(struct played_event *event, size_t size_bytes, struct error *err)
{
	const size_t page_bytes = (size_t)sysconf(_SC_PAGESIZE);
	const size_t data_bytes = size_bytes - page_bytes;
	void *base;

	if (event->ring.control) /* mapped again: the same ring */
		return event->ring.size_bytes == data_bytes ? 0 :
							      error_set_errno(err, EINVAL, "another size");
	if (size_bytes <= page_bytes || data_bytes & (data_bytes - 1))
		return error_set_errno(err, EINVAL, "no ring of %zu bytes", data_bytes);
	if (ftruncate(event->memory, (off_t)size_bytes) < 0)
		return error_set_errno(err, errno, "ftruncate");
	base = mmap(NULL, size_bytes, PROT_READ | PROT_WRITE, MAP_SHARED, event->memory, 0);
	if (base == MAP_FAILED)
		return error_set_errno(err, errno, "mmap");
	event->ring = (struct played_ring){ .control = base,
					    .data = (uint8_t *)base + page_bytes,
					    .size_bytes = data_bytes };
	event->ring.control->data_offset = page_bytes;
	event->ring.control->data_size = data_bytes;
	return 0;
}

struct played_ring *played_events_ring(struct played_events *events, struct played_event *event)
{
	struct played_ring *ring = &events->items[event->output].ring;

	return ring->control ? ring : NULL;
}

bool played_events_is_sampling(struct played_events *events, struct played_event *event)
{
	const bool is_dummy =
		event->attr.type == PERF_TYPE_SOFTWARE && event->attr.config == PERF_COUNT_SW_DUMMY;

	return !event->is_closed && event->is_enabled && !is_dummy && event->attr.sample_period &&
	       played_events_ring(events, event);
}

bool played_ring_write(struct played_ring *ring, const void *record, size_t size)
{
	const uint64_t tail = __atomic_load_n(&ring->control->data_tail, __ATOMIC_ACQUIRE);
	const size_t at = (size_t)(ring->head & (ring->size_bytes - 1));
	const size_t before_end = ring->size_bytes - at;

	if (ring->head - tail + size > ring->size_bytes)
		return false;
	memcpy(ring->data + at, record, size < before_end ? size : before_end);
	if (size > before_end)
		memcpy(ring->data, (const uint8_t *)record + before_end, size - before_end);
	ring->head += size;
	__atomic_store_n(&ring->control->data_head, ring->head, __ATOMIC_RELEASE);
	return true;
}

bool played_ring_has_data(const struct played_ring *ring)
{
	return ring->head != __atomic_load_n(&ring->control->data_tail, __ATOMIC_ACQUIRE);
}
