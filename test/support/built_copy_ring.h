#ifndef XPROF_TEST_SUPPORT_BUILT_COPY_RING_H
#define XPROF_TEST_SUPPORT_BUILT_COPY_RING_H

/* A ring of stack copies, mapped as by the kernel, and written by the test instead of a BPF program. */

#include <stdbool.h>

#include "record/bpf/copy_ring.h"
#include "record/bpf/stack_copy_record.h"

enum { BUILT_COPY_RING_BYTES = 64 * 1024 };

struct built_copy_ring {
	struct copy_ring ring;
	uint64_t consumer, producer;
	uint8_t *data; /* mapped twice in a row, as by the kernel */
};

void built_copy_ring_init(struct built_copy_ring *built);
void built_copy_ring_fini(struct built_copy_ring *built);

/* `flags`: BPF_RINGBUF_BUSY_BIT or BPF_RINGBUF_DISCARD_BIT. Returns the record's position. */
uint64_t built_copy_ring_add(struct built_copy_ring *built, uint32_t flags, const void *bytes, size_t size);

/* Adds a copy of `size` bytes of stack, from `address` on, of thread `tid` at `time`. */
uint64_t built_copy_ring_add_copy(struct built_copy_ring *built, uint32_t flags, uint32_t tid, uint64_t time,
				  uint64_t address, const void *stack, uint32_t size);

/* Finishes the record, as the program would. */
void built_copy_ring_finish(struct built_copy_ring *built, uint64_t position);

#endif
