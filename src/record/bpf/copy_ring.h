#ifndef XPROF_RECORD_BPF_COPY_RING_H
#define XPROF_RECORD_BPF_COPY_RING_H

/*
 * A ring buffer that BPF programs write into (BPF_MAP_TYPE_RINGBUF), mapped for reading without copying. libbpf's own reader
 * gives a record back to the kernel as soon as its callback returns. Here the caller releases records, because the sample that
 * a copy belongs to comes through another ring.
 *
 * Positions only grow; the offset in the ring is the position modulo its size. Each record has a header of 8 bytes: its length
 * and two flags, busy (the program has not finished the record) and discarded (Documentation/bpf/ringbuf.rst).
 *
 * Pages are mapped when records first reach them, because mapping and unmapping a page takes a microsecond each, and a short
 * recording needs few pages.
 */

#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

struct copy_ring {
	uint64_t *consumer; /* written by the reader: the position up to which it has released */
	const uint64_t *producer;
	/* mapped twice, one copy behind the other, so that no record is split at the end */
	const uint8_t *data;
	size_t size_bytes; /* a power of two */
	/* bytes of data to map: the ring, and as much of the second copy as a record can reach into */
	size_t data_bytes;
	size_t mapped_bytes; /* bytes of data mapped so far */
	uint64_t end;        /* last result of copy_ring_end() */
	int map_fd;
};

/* One record, filled in by copy_ring_read(). */
struct copy_ring_record {
	enum { COPY_RING_READY, COPY_RING_BUSY, COPY_RING_DISCARDED } state;
	const uint8_t *bytes; /* valid until the record is released; aligned to 8 */
	size_t size;
	uint64_t next; /* position of the next record */
};

/*
 * Maps the ring of the map `map_fd`, which is borrowed until copy_ring_unmap(). `record_bytes` is the largest size of a record
 * with its header. Returns 0, or -1 with err and its errno_value.
 */
int copy_ring_map(struct copy_ring *ring, int map_fd, size_t size_bytes, size_t record_bytes,
		  struct error *err);
void copy_ring_unmap(struct copy_ring *ring); /* does nothing if nothing is mapped */

/*
 * The positions of the first record that is not released, and behind the last record. If there is no memory to map new records,
 * copy_ring_end() returns its previous result.
 */
uint64_t copy_ring_begin(const struct copy_ring *ring);
uint64_t copy_ring_end(struct copy_ring *ring);

/* The record at `position`, which must be before the last result of copy_ring_end(). */
struct copy_ring_record copy_ring_read(const struct copy_ring *ring, uint64_t position);

/* Gives all records before `position` back to the kernel. */
void copy_ring_release(struct copy_ring *ring, uint64_t position);

#endif
