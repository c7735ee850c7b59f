#ifndef XPROF_RECORD_BPF_COPY_RING_H
#define XPROF_RECORD_BPF_COPY_RING_H

/*
 * A ring buffer that BPF programs write into (BPF_MAP_TYPE_RINGBUF), mapped for reading without copying. libbpf's own
 * reader gives a record back to the kernel as soon as it has been looked at; here records stay until they are released,
 * since the sample that a copy belongs to comes through another ring.
 *
 * Positions only grow; the place in the ring is the number modulo its size. Each record has a header of 8 bytes: its
 * length with two flags, busy (the program has not finished it) and discarded, Documentation/bpf/ringbuf.rst.
 *
 * Its pages are mapped when records first lie in them: a short recording needs few, and each takes a microsecond to map and to unmap.
 */

#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

struct copy_ring {
	uint64_t *consumer; /* the page that the reader writes */
	const uint64_t *producer;
	const uint8_t *data; /* its beginning is mapped once more behind its end, so that no record is split */
	size_t size_bytes;   /* a power of two */
	size_t data_bytes;   /* to be mapped: those and the beginning once more */
	size_t mapped_bytes; /* of them, up to now */
	uint64_t end;        /* as copy_ring_end() last returned it */
	int map_fd;
};

/* One record, as copy_ring_read() finds it. */
struct copy_ring_record {
	enum { COPY_RING_READY, COPY_RING_BUSY, COPY_RING_DISCARDED } state;
	const uint8_t *bytes; /* valid until it is released; aligned to 8 */
	size_t size;
	uint64_t next; /* position of the record behind it */
};

/*
 * Maps the ring of a map's descriptor, which is borrowed until it is unmapped, and whose records with their headers have
 * `record_bytes` at most. -1 with errno_value set.
 */
int copy_ring_map(struct copy_ring *ring, int map_fd, size_t size_bytes, size_t record_bytes,
		  struct error *err);
void copy_ring_unmap(struct copy_ring *ring); /* does nothing where nothing is mapped */

/*
 * Positions between which there are records: released ones lie before the first, future ones behind the second. Where memory is
 * short, so that new ones cannot be mapped, the second stays where it was.
 */
uint64_t copy_ring_begin(const struct copy_ring *ring);
uint64_t copy_ring_end(struct copy_ring *ring);

/* The record at `position`, which lies before the last copy_ring_end(). */
struct copy_ring_record copy_ring_read(const struct copy_ring *ring, uint64_t position);

/* Gives everything before `position` back to the kernel. */
void copy_ring_release(struct copy_ring *ring, uint64_t position);

#endif
