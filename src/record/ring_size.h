#ifndef XPROF_RECORD_RING_SIZE_H
#define XPROF_RECORD_RING_SIZE_H

/*
 * Chooses the size of the rings, one per CPU, unless the user does (-m), and how much of a user stack each
 * sample may copy into its ring. A sample larger than its ring is always lost; a ring that holds only one
 * sample loses the next.
 */

#include <linux/perf_event.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "record/event/call_graph.h"

/* Zero it, set the machine's values, then call ring_demand_add() for each sampler. */
struct ring_demand {
	uint32_t dump_bytes; /* stack dump of each sample; 0: none, samples are small */
	size_t fixed_bytes;  /* the largest sample, without its dump */
	uint64_t rate_hz;    /* maximum samples per second on one CPU; 0: unknown */
	bool bursts;         /* samples come as fast as programs cause an event, not at the rate of a clock */
	bool waits; /* the recorder has no raised priority (own_priority.h), so samples wait longer for it */
	size_t cpu_count;
	size_t page_bytes;
	size_t memory_pages; /* memory of the machine */
};

/* Adds a sampler. `max_stack` is kernel.perf_event_max_stack, which attr.sample_max_stack can only lower. */
void ring_demand_add(struct ring_demand *demand, const struct perf_event_attr *attr, unsigned int max_stack);

/* The size of a ring in pages, a power of two. */
size_t ring_size_pages(const struct ring_demand *demand);

/*
 * The size in bytes of the ring of stack copies, one for all CPUs: a power of two. It holds the copies of one
 * second, of `copy_bytes` each. copy_bytes 0: not known yet; then it holds the copies until the recorder has
 * looked at the first ones and calls again.
 */
size_t ring_size_copies_bytes(const struct ring_demand *demand, uint64_t copy_bytes);

/* The largest size of a sample in bytes, so that the ring holds several. */
size_t ring_size_sample_bytes(size_t ring_bytes);

/*
 * The size of stack dumps for a ring of `ring_bytes`: demand->dump_bytes or less. If the user asked for this
 * size (`given`), it is reduced only when a sample would not fit; otherwise also to let the ring hold a burst
 * of samples.
 */
uint32_t ring_size_dump_bytes(const struct ring_demand *demand, size_t ring_bytes, bool given);

#endif
