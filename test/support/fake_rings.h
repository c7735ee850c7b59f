#ifndef XPROF_TEST_FAKE_RINGS_H
#define XPROF_TEST_FAKE_RINGS_H

/*
 * A kernel's rings in ordinary memory: ring_buffer_peek() reads what fake_rings_put() writes, and ring_buffer_release()
 * gives it back, as with rings of the kernel.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "record/ring_buffer.h"

struct fake_rings {
	struct ring_buffer *rings;
	size_t count;
	uint64_t *lost; /* by ring: records that had no room */
};

/* `ring_bytes` must be a power of two. */
void fake_rings_init(struct fake_rings *fake, size_t count, size_t ring_bytes);
void fake_rings_fini(struct fake_rings *fake);

/* Adds a record if there is room. Else it is lost, as in the kernel, and false is returned. */
bool fake_rings_put(struct fake_rings *fake, size_t ring, const void *record, size_t size);

#endif
