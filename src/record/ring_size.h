#ifndef XPROF_RECORD_RING_SIZE_H
#define XPROF_RECORD_RING_SIZE_H

/* How large a ring per CPU has to be, where the user does not say (-m). */

#include <stddef.h>
#include <stdint.h>

struct ring_demand {
	uint32_t dump_bytes; /* of each sample's stack; 0: samples are small */
	uint64_t frequency;  /* Hz, a CPU's; 0: not known */
	size_t cpu_count;
	size_t page_bytes;
	size_t memory_pages; /* of the machine */
};

/* In pages, a power of two. */
size_t ring_size_pages(const struct ring_demand *demand);

#endif
