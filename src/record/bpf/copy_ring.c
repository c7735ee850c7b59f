/* The reader's side of a BPF ring buffer, see copy_ring.h. */

#include "record/bpf/copy_ring.h"

#include <errno.h>
#include <linux/bpf.h>
#include <sys/mman.h>
#include <unistd.h>

int copy_ring_map(struct copy_ring *ring, int map_fd, size_t size_bytes, size_t record_bytes,
		  struct error *err)
{
	const size_t page_bytes = (size_t)sysconf(_SC_PAGESIZE);
	const size_t again =
		record_bytes < size_bytes ? (record_bytes + page_bytes - 1) & ~(page_bytes - 1) : size_bytes;
	void *consumer, *producer;

	*ring = (struct copy_ring){ .size_bytes = size_bytes, .data_bytes = size_bytes + again };
	consumer = mmap(NULL, page_bytes, PROT_READ | PROT_WRITE, MAP_SHARED, map_fd, 0);
	if (consumer == MAP_FAILED)
		return error_set_errno(err, errno, "cannot map the ring of stack copies");
	producer =
		mmap(NULL, page_bytes + ring->data_bytes, PROT_READ, MAP_SHARED, map_fd, (off_t)page_bytes);
	if (producer == MAP_FAILED) {
		int mmap_errno = errno;

		munmap(consumer, page_bytes);
		return error_set_errno(err, mmap_errno, "cannot map the ring of stack copies");
	}
	ring->consumer = consumer;
	ring->producer = producer;
	ring->data = (const uint8_t *)producer + page_bytes;
	return 0;
}

void copy_ring_unmap(struct copy_ring *ring)
{
	const size_t page_bytes = (size_t)sysconf(_SC_PAGESIZE);

	if (!ring->consumer)
		return;
	munmap(ring->consumer, page_bytes);
	munmap((void *)(uintptr_t)ring->producer, page_bytes + ring->data_bytes);
	ring->consumer = NULL;
}

uint64_t copy_ring_begin(const struct copy_ring *ring)
{
	return *ring->consumer;
}

uint64_t copy_ring_end(const struct copy_ring *ring)
{
	/* Pairs with the kernel's smp_store_release() in __bpf_ringbuf_reserve(): headers before it are written. */
	return __atomic_load_n(ring->producer, __ATOMIC_ACQUIRE);
}

struct copy_ring_record copy_ring_read(const struct copy_ring *ring, uint64_t position)
{
	const uint8_t *at = ring->data + (position & (ring->size_bytes - 1));
	/* Pairs with the exchange in bpf_ringbuf_commit(): without the busy flag the bytes are written. */
	const uint32_t header = __atomic_load_n((const uint32_t *)(const void *)at, __ATOMIC_ACQUIRE);
	const size_t size = header & ~(uint32_t)(BPF_RINGBUF_BUSY_BIT | BPF_RINGBUF_DISCARD_BIT);

	return (struct copy_ring_record){
		.state = header & BPF_RINGBUF_BUSY_BIT    ? COPY_RING_BUSY :
			 header & BPF_RINGBUF_DISCARD_BIT ? COPY_RING_DISCARDED :
							    COPY_RING_READY,
		.bytes = at + BPF_RINGBUF_HDR_SZ,
		.size = size,
		.next = position + ((BPF_RINGBUF_HDR_SZ + size + 7) & ~(uint64_t)7),
	};
}

void copy_ring_release(struct copy_ring *ring, uint64_t position)
{
	__atomic_store_n(ring->consumer, position, __ATOMIC_RELEASE);
}
