/* Rings in ordinary memory, see fake_rings.h. */
#include "support/fake_rings.h"

#include <linux/perf_event.h>
#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"

void fake_rings_init(struct fake_rings *fake, size_t count, size_t ring_bytes)
{
	*fake = (struct fake_rings){ .rings = xcalloc(count, sizeof(*fake->rings)),
				     .count = count,
				     .lost = xcalloc(count, sizeof(*fake->lost)) };
	for (size_t i = 0; i < count; i++)
		fake->rings[i] =
			(struct ring_buffer){ .control = xcalloc(1, sizeof(struct perf_event_mmap_page)),
					      .data = xcalloc(1, ring_bytes),
					      .size_bytes = ring_bytes };
}

void fake_rings_fini(struct fake_rings *fake)
{
	for (size_t i = 0; i < fake->count; i++) {
		free(fake->rings[i].control);
		free((uint8_t *)fake->rings[i].data);
	}
	free(fake->rings);
	free(fake->lost);
}

bool fake_rings_put(struct fake_rings *fake, size_t number, const void *record, size_t size)
{
	struct ring_buffer *ring = &fake->rings[number];
	uint8_t *data = (uint8_t *)ring->data;
	const uint64_t head = ring->control->data_head;
	const uint64_t tail = __atomic_load_n(&ring->control->data_tail, __ATOMIC_ACQUIRE);
	const size_t at = (size_t)(head & (ring->size_bytes - 1));
	const size_t to_end = ring->size_bytes - at;

	if (head - tail + size > ring->size_bytes) {
		fake->lost[number]++;
		return false;
	}
	memcpy(data + at, record, size < to_end ? size : to_end);
	if (size > to_end)
		memcpy(data, (const uint8_t *)record + to_end, size - to_end);
	__atomic_store_n(&ring->control->data_head, head + size, __ATOMIC_RELEASE);
	return true;
}
