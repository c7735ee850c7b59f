#ifndef XPROF_TEST_FAKE_RINGS_H
#define XPROF_TEST_FAKE_RINGS_H

/*
 * Rings of a kernel in ordinary memory: what fake_rings_put() writes is read with ring_buffer_peek() and given back with
 * ring_buffer_release(), as in the kernel's.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "record/ring_buffer.h"

struct fake_rings {
	struct ring_buffer *rings;
	size_t count;
	uint64_t *lost; /* records that had no room, of each ring */
};

/* `ring_bytes` is a power of two. */
void fake_rings_init(struct fake_rings *fake, size_t count, size_t ring_bytes);
void fake_rings_fini(struct fake_rings *fake);

/* As the kernel does: a record, if there is room for it; else it is lost, and false is returned. */
bool fake_rings_put(struct fake_rings *fake, size_t ring, const void *record, size_t size);

#endif
