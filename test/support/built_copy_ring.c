#include "support/built_copy_ring.h"

#include <linux/bpf.h>
#include <stdlib.h>
#include <string.h>

#include "base/strbuf.h"
#include "base/xalloc.h"

void built_copy_ring_init(struct built_copy_ring *built)
{
	*built = (struct built_copy_ring){ .data = xcalloc(2, BUILT_COPY_RING_BYTES) };
	built->ring = (struct copy_ring){ .consumer = &built->consumer,
					  .producer = &built->producer,
					  .data = built->data,
					  .size_bytes = BUILT_COPY_RING_BYTES };
}

void built_copy_ring_fini(struct built_copy_ring *built)
{
	free(built->data);
}

static void write_at(struct built_copy_ring *built, uint64_t position, const void *bytes, size_t size)
{
	for (size_t i = 0; i < size; i++) {
		const size_t at = (size_t)(position + i) & (BUILT_COPY_RING_BYTES - 1);

		built->data[at] = built->data[at + BUILT_COPY_RING_BYTES] = ((const uint8_t *)bytes)[i];
	}
}

uint64_t built_copy_ring_add(struct built_copy_ring *built, uint32_t flags, const void *bytes, size_t size)
{
	const uint64_t position = built->producer;
	const uint32_t header[2] = { (uint32_t)size | flags, 0 };

	write_at(built, position, header, sizeof(header));
	write_at(built, position + sizeof(header), bytes, size);
	built->producer = position + ((sizeof(header) + size + 7) & ~(size_t)7);
	return position;
}

uint64_t built_copy_ring_add_copy(struct built_copy_ring *built, uint32_t flags, uint32_t tid, uint64_t time,
				  uint64_t address, const void *stack, uint32_t size)
{
	const struct stack_copy_record record = {
		.time = time, .pid = tid, .tid = tid, .stack = { .address = address, .size = size }
	};
	struct strbuf bytes;
	uint64_t position;

	strbuf_init(&bytes);
	strbuf_add(&bytes, &record, sizeof(record));
	strbuf_add(&bytes, stack, size);
	strbuf_add_zeros(&bytes, (8 - size % 8) % 8);
	position = built_copy_ring_add(built, flags, bytes.bytes, bytes.size);
	strbuf_fini(&bytes);
	return position;
}

void built_copy_ring_finish(struct built_copy_ring *built, uint64_t position)
{
	const size_t at = (size_t)position & (BUILT_COPY_RING_BYTES - 1);
	uint32_t header;

	memcpy(&header, built->data + at, sizeof(header));
	header &= ~(uint32_t)BPF_RINGBUF_BUSY_BIT;
	write_at(built, position, &header, sizeof(header));
}
