/* The reader's side of a BPF ring buffer, see copy_ring.h. */

#include "record/bpf/copy_ring.h"

#include <errno.h>
#include <linux/bpf.h>
#include <stdbool.h>
#include <sys/mman.h>
#include <unistd.h>

/* Mapped first. Each further step doubles the mapped size, so that mappings stay few. */
enum { FIRST_MAPPED_BYTES = 256 * 1024 };

int copy_ring_map(struct copy_ring *ring, int map_fd, size_t size_bytes, size_t record_bytes,
		  struct error *err)
{
	const size_t page_bytes = (size_t)sysconf(_SC_PAGESIZE);
	const size_t again =
		record_bytes < size_bytes ? (record_bytes + page_bytes - 1) & ~(page_bytes - 1) : size_bytes;
	uint8_t *place;

	*ring = (struct copy_ring){ .size_bytes = size_bytes,
				    .data_bytes = size_bytes + again,
				    .map_fd = map_fd };
	/* Reserve the addresses of all pages: the consumer's, the producer's and the data's. */
	place = mmap(NULL, 2 * page_bytes + ring->data_bytes, PROT_NONE,
		     MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	if (place == MAP_FAILED)
		return error_set_errno(err, errno, "cannot map the ring of stack copies");
	ring->consumer = (void *)place;
	ring->producer = (void *)(place + page_bytes);
	ring->data = place + 2 * page_bytes;
	if (mmap(place, page_bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, map_fd, 0) ==
		    MAP_FAILED ||
	    mmap(place + page_bytes, page_bytes, PROT_READ, MAP_SHARED | MAP_FIXED, map_fd,
		 (off_t)page_bytes) == MAP_FAILED) {
		int mmap_errno = errno;

		copy_ring_unmap(ring);
		return error_set_errno(err, mmap_errno, "cannot map the ring of stack copies");
	}
	return 0;
}

void copy_ring_unmap(struct copy_ring *ring)
{
	if (!ring->consumer)
		return;
	munmap(ring->consumer, 2 * (size_t)sysconf(_SC_PAGESIZE) + ring->data_bytes);
	ring->consumer = NULL;
}

uint64_t copy_ring_begin(const struct copy_ring *ring)
{
	return *ring->consumer;
}

/* Maps the data before `position` during the first pass through the ring, and everything from the second pass on. */
static bool map_to(struct copy_ring *ring, uint64_t position)
{
	const size_t page_bytes = (size_t)sysconf(_SC_PAGESIZE);

	while (ring->mapped_bytes < ring->data_bytes &&
	       (position > ring->size_bytes || position > ring->mapped_bytes)) {
		const size_t left = ring->data_bytes - ring->mapped_bytes;
		const size_t step = ring->mapped_bytes ? ring->mapped_bytes : FIRST_MAPPED_BYTES;
		const size_t bytes = step < left ? step : left;

		if (mmap((void *)(uintptr_t)(ring->data + ring->mapped_bytes), bytes, PROT_READ,
			 MAP_SHARED | MAP_FIXED, ring->map_fd,
			 (off_t)(2 * page_bytes + ring->mapped_bytes)) == MAP_FAILED)
			return false;
		ring->mapped_bytes += bytes;
	}
	return true;
}

uint64_t copy_ring_end(struct copy_ring *ring)
{
	/* Pairs with the kernel's smp_store_release() in __bpf_ringbuf_reserve(): headers before it are written. */
	const uint64_t end = __atomic_load_n(ring->producer, __ATOMIC_ACQUIRE);

	if (map_to(ring, end))
		ring->end = end;
	return ring->end;
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
