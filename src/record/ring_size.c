#include "record/ring_size.h"

enum {
	SMALL_SAMPLES_BYTES = 512 * 1024, /* within the kernel's default perf_event_mlock_kb */
	DUMPS_MIN_BYTES = 8 << 20,
	DUMPS_MAX_BYTES = 64 << 20,
	/* A recorder that shares its CPU with others may have to wait this part of a second, 125 ms, for its turn. */
	HELD_PART_OF_SECOND = 8,
	MEMORY_PART = 16, /* of the machine's memory at most, for all rings together */
};

size_t ring_size_pages(const struct ring_demand *demand)
{
	uint64_t wanted = SMALL_SAMPLES_BYTES, pages = 1;

	if (demand->dump_bytes) {
		uint64_t frequency = demand->frequency < UINT32_MAX ? demand->frequency : UINT32_MAX;

		wanted = frequency * demand->dump_bytes / HELD_PART_OF_SECOND;
		if (wanted < DUMPS_MIN_BYTES)
			wanted = DUMPS_MIN_BYTES;
		if (wanted > DUMPS_MAX_BYTES)
			wanted = DUMPS_MAX_BYTES;
	}
	while (pages * demand->page_bytes < wanted)
		pages *= 2;
	while (pages * demand->page_bytes > SMALL_SAMPLES_BYTES && pages > 1 &&
	       pages * demand->cpu_count > demand->memory_pages / MEMORY_PART)
		pages /= 2;
	return (size_t)pages;
}
