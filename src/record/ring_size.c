/*
 * Computes sizes of rings and stack dumps that fit each other. The kernel reserves room for the whole dump in
 * the ring, even if the stack is smaller, so the size of a sample is known before it is taken.
 */
#include "record/ring_size.h"

enum {
	SMALL_SAMPLES_BYTES = 512 * 1024, /* within the kernel's default perf_event_mlock_kb */
	/*
	 * The size of rings with stacks: 8 MiB, or less if a second of samples needs less; nothing is unwound while a ring is
	 * more than five eighths full. No larger than needed, because the kernel clears each page when a recording begins.
	 */
	DUMPS_LEAST_BYTES = 1 << 20,
	DUMPS_USUAL_BYTES = 8 << 20,
	COPY_USUAL_BYTES = 32 << 10, /* the stack of a compiler; most are smaller */
	/* Room for one of the largest stacks (STACK_COPY_MAX) from each of two CPUs, or of four on machines with more CPUs. */
	FEW_CPUS = 2,
	COPIES_LEAST_BYTES = 4 << 20,
	COPIES_USUAL_BYTES = 8 << 20,
	COPIES_MAX_BYTES = 32 << 20,
	COPIES_UNKNOWN_HZ = 4000,
	/* A recorder with raised priority has looked at its first copies within this part of a second, 62 ms. */
	FIRST_PART_OF_SECOND = 16,
	RING_MAX_BYTES = 64 << 20,
	/* A recorder that shares its CPU with other programs may wait this part of a second, 125 ms, for its turn. */
	HELD_PART_OF_SECOND = 8,
	MEMORY_PART = 16,       /* of the machine's memory is the limit for all rings together */
	SAMPLES_IN_RING = 4,    /* the minimum; a ring is drained when it is half full */
	DUMP_LEAST_BYTES = 512, /* two samples with such a dump fit into the smallest ring, a page of 4 KiB */
	BURST_DUMP_LEAST_BYTES = 1024,
	/* Hits of a software event or tracepoint, per second. Page faults with dumps were measured at 60,000 on one CPU. */
	BURST_HZ = 80 * 1000,
	/* its timer fires at most every 10 microseconds, perf_swevent_start_hrtimer() */
	CLOCK_MAX_HZ = 100 * 1000,
	NS_PER_S = 1000 * 1000 * 1000,
	CONTEXTS_PER_STACK = 8, /* PERF_MAX_CONTEXTS_PER_STACK: markers in a chain, besides its frames */
	BRANCHES_MAX = 32,      /* of Intel's LBR; other CPUs keep fewer */
	RAW_USUAL_BYTES = 256,  /* fields of a tracepoint; few have more */
	WORD_BYTES = 8,
};

/* Fields of one word each, perf_output_sample() of kernel/events/core.c */
static const uint64_t one_word_fields =
	PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_ADDR |
	PERF_SAMPLE_ID | PERF_SAMPLE_STREAM_ID | PERF_SAMPLE_CPU | PERF_SAMPLE_PERIOD | PERF_SAMPLE_WEIGHT |
	PERF_SAMPLE_DATA_SRC | PERF_SAMPLE_TRANSACTION | PERF_SAMPLE_PHYS_ADDR | PERF_SAMPLE_CGROUP |
	PERF_SAMPLE_DATA_PAGE_SIZE | PERF_SAMPLE_CODE_PAGE_SIZE;

static size_t fixed_bytes(const struct perf_event_attr *attr, unsigned int max_stack)
{
	size_t words = sizeof(struct perf_event_header) / WORD_BYTES +
		       (size_t)__builtin_popcountll(attr->sample_type & one_word_fields);
	size_t bytes = 0;

	if (attr->sample_max_stack && attr->sample_max_stack < max_stack)
		max_stack = attr->sample_max_stack;
	if (attr->sample_type & PERF_SAMPLE_CALLCHAIN)
		words += 1 + max_stack + CONTEXTS_PER_STACK;
	if (attr->sample_type & PERF_SAMPLE_BRANCH_STACK)
		words += 2 + 3 * (size_t)BRANCHES_MAX;
	if (attr->sample_type & PERF_SAMPLE_REGS_USER)
		words += 1 + (size_t)__builtin_popcountll(attr->sample_regs_user);
	if (attr->sample_type & PERF_SAMPLE_REGS_INTR)
		words += 1 + (size_t)__builtin_popcountll(attr->sample_regs_intr);
	if (attr->sample_type & PERF_SAMPLE_STACK_USER)
		words += 2; /* size and dyn_size */
	if (attr->sample_type & PERF_SAMPLE_RAW)
		bytes += RAW_USUAL_BYTES;
	return words * WORD_BYTES + bytes;
}

static bool is_clock(const struct perf_event_attr *attr)
{
	return attr->type == PERF_TYPE_SOFTWARE &&
	       (attr->config == PERF_COUNT_SW_CPU_CLOCK || attr->config == PERF_COUNT_SW_TASK_CLOCK);
}

/* Whether programs cause the hits, as fast as they run. The kernel does not throttle such events. */
static bool is_of_hits(const struct perf_event_attr *attr)
{
	return attr->type == PERF_TYPE_TRACEPOINT || attr->type == PERF_TYPE_BREAKPOINT ||
	       (attr->type == PERF_TYPE_SOFTWARE && !is_clock(attr));
}

void ring_demand_add(struct ring_demand *demand, const struct perf_event_attr *attr, unsigned int max_stack)
{
	const size_t fixed = fixed_bytes(attr, max_stack);

	if (fixed > demand->fixed_bytes)
		demand->fixed_bytes = fixed;
	if (attr->sample_type & PERF_SAMPLE_STACK_USER && attr->sample_stack_user > demand->dump_bytes)
		demand->dump_bytes = attr->sample_stack_user;
	if (attr->freq) {
		demand->rate_hz += attr->sample_freq < UINT32_MAX ? attr->sample_freq : UINT32_MAX;
	} else if (attr->sample_period && is_of_hits(attr)) {
		demand->rate_hz += BURST_HZ / attr->sample_period;
		demand->bursts = true;
	} else if (attr->sample_period && is_clock(attr)) {
		const uint64_t rate_hz = NS_PER_S / attr->sample_period;

		demand->rate_hz += rate_hz < CLOCK_MAX_HZ ? rate_hz : CLOCK_MAX_HZ;
	}
}

/* The ring's size, unless samples come so fast that an eighth of a second needs more. */
static uint64_t usual_bytes(const struct ring_demand *demand, uint64_t second_bytes)
{
	if (!demand->dump_bytes)
		return SMALL_SAMPLES_BYTES;
	if (!second_bytes || second_bytes > DUMPS_USUAL_BYTES || demand->waits)
		return DUMPS_USUAL_BYTES;
	return second_bytes > DUMPS_LEAST_BYTES ? second_bytes : DUMPS_LEAST_BYTES;
}

size_t ring_size_pages(const struct ring_demand *demand)
{
	uint64_t rate_hz = demand->rate_hz < UINT32_MAX ? demand->rate_hz : UINT32_MAX;
	uint64_t second_bytes = rate_hz * (demand->dump_bytes + demand->fixed_bytes);
	uint64_t held_bytes = second_bytes / HELD_PART_OF_SECOND;
	uint64_t wanted = usual_bytes(demand, second_bytes), pages = 1;

	if ((demand->dump_bytes || demand->bursts) && wanted < held_bytes)
		wanted = held_bytes;
	if (wanted > RING_MAX_BYTES)
		wanted = RING_MAX_BYTES;
	while (pages * demand->page_bytes < wanted)
		pages *= 2;
	while (pages * demand->page_bytes > SMALL_SAMPLES_BYTES && pages > 1 &&
	       pages * demand->cpu_count > demand->memory_pages / MEMORY_PART)
		pages /= 2;
	return (size_t)pages;
}

size_t ring_size_copies_bytes(const struct ring_demand *demand, uint64_t copy_bytes)
{
	const uint64_t known_hz = demand->rate_hz ? demand->rate_hz : COPIES_UNKNOWN_HZ;
	const uint64_t rate_hz = known_hz < UINT32_MAX ? known_hz : UINT32_MAX;
	/* Room for a whole second of copies: the recorder may need as long to read the files of a large program that starts. */
	const uint64_t second_bytes =
		rate_hz * (copy_bytes ? copy_bytes : COPY_USUAL_BYTES) * demand->cpu_count;
	const uint64_t wanted = copy_bytes ? second_bytes : second_bytes / FIRST_PART_OF_SECOND;
	size_t bytes = demand->waits                 ? COPIES_MAX_BYTES :
		       demand->cpu_count <= FEW_CPUS ? COPIES_LEAST_BYTES :
						       COPIES_USUAL_BYTES;

	while (bytes < wanted && bytes < COPIES_MAX_BYTES)
		bytes *= 2;
	return bytes;
}

size_t ring_size_sample_bytes(size_t ring_bytes)
{
	return ring_bytes / SAMPLES_IN_RING;
}

/* The largest power of two from `least` to `most` with which a sample fits into `sample_bytes`. */
static uint32_t largest_dump(uint64_t sample_bytes, size_t fixed, uint32_t least, uint32_t most)
{
	uint32_t dump_bytes = least;

	while (dump_bytes * 2 <= most && fixed + dump_bytes * 2 <= sample_bytes)
		dump_bytes *= 2;
	return dump_bytes;
}

uint32_t ring_size_dump_bytes(const struct ring_demand *demand, size_t ring_bytes, bool given)
{
	const uint64_t burst = demand->rate_hz / HELD_PART_OF_SECOND;
	const size_t sample_bytes = ring_size_sample_bytes(ring_bytes);
	uint32_t dump_bytes = demand->dump_bytes;

	if (dump_bytes > DUMP_LEAST_BYTES && demand->fixed_bytes + dump_bytes > sample_bytes)
		dump_bytes = largest_dump(sample_bytes, demand->fixed_bytes, DUMP_LEAST_BYTES, dump_bytes);
	if (!given && demand->bursts && dump_bytes > BURST_DUMP_LEAST_BYTES &&
	    burst * (demand->fixed_bytes + dump_bytes) > ring_bytes)
		dump_bytes = largest_dump(ring_bytes / burst, demand->fixed_bytes, BURST_DUMP_LEAST_BYTES,
					  dump_bytes);
	return dump_bytes;
}
