#ifndef XPROF_RECORD_RING_SIZE_H
#define XPROF_RECORD_RING_SIZE_H

/*
 * How large a ring per CPU has to be, where the user does not say (-m), and how much of a user stack each sample may
 * copy into it. A sample larger than its ring is always lost, and a ring that holds only one loses the next.
 */

#include <linux/perf_event.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "record/event/call_graph.h"

/* Start with zeros, set what is known of the machine, then add each sampler. */
struct ring_demand {
	uint32_t dump_bytes; /* of each sample's stack; 0: samples are small */
	size_t fixed_bytes;  /* of the largest sample, without its dump */
	uint64_t rate_hz;    /* samples a second on one CPU, at most; 0: not known */
	bool bursts; /* some event's hits, not a clock, set the pace: they come as fast as programs cause them */
	bool waits; /* the recorder does not come first (own_priority.h), so samples and copies wait longer for it */
	size_t cpu_count;
	size_t page_bytes;
	size_t memory_pages; /* of the machine */
};

/* `max_stack` is kernel.perf_event_max_stack, which attr.sample_max_stack can only lower. */
void ring_demand_add(struct ring_demand *demand, const struct perf_event_attr *attr, unsigned int max_stack);

/* In pages, a power of two. */
size_t ring_size_pages(const struct ring_demand *demand);

/*
 * The bytes of the ring of stack copies, one for all CPUs: a power of two. It holds those of a second, of `copy_bytes` each. 0: their
 * size is not known yet; then it holds those that come until the recorder has looked at the first, and asks again.
 */
size_t ring_size_copies_bytes(const struct ring_demand *demand, uint64_t copy_bytes);

/* Bytes that one sample may have, so that a ring holds several. */
size_t ring_size_sample_bytes(size_t ring_bytes);

/*
 * The stack dump that a ring of `ring_bytes` can take: that of the demand, or less. A size that the user asked for
 * (`given`) is shortened only when samples would not fit; else also so that a burst of samples fits.
 */
uint32_t ring_size_dump_bytes(const struct ring_demand *demand, size_t ring_bytes, bool given);

#endif
