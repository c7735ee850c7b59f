#include "format/plain_sample.h"

#include <linux/perf_event.h>
#include <string.h>

#include "format/perf_abi.h"
#include "format/record_header.h"
#include "format/sample.h"

enum { BRANCH_COUNTERS = 1 << 19 }; /* PERF_SAMPLE_BRANCH_COUNTERS, Linux 6.8 */

/* The fields in the order of perf_output_sample(), in groups that stay (even) and that go (odd). */
static const uint64_t groups[] = {
	PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_ADDR |
		PERF_SAMPLE_ID | PERF_SAMPLE_STREAM_ID | PERF_SAMPLE_CPU | PERF_SAMPLE_PERIOD |
		PERF_SAMPLE_READ | PERF_SAMPLE_CALLCHAIN | PERF_SAMPLE_RAW | PERF_SAMPLE_BRANCH_STACK,
	PERF_SAMPLE_REGS_USER | PERF_SAMPLE_STACK_USER,
	PERF_SAMPLE_WEIGHT | PERF_SAMPLE_WEIGHT_STRUCT | PERF_SAMPLE_DATA_SRC | PERF_SAMPLE_TRANSACTION,
	PERF_SAMPLE_REGS_INTR,
	PERF_SAMPLE_PHYS_ADDR | PERF_SAMPLE_CGROUP | PERF_SAMPLE_DATA_PAGE_SIZE | PERF_SAMPLE_CODE_PAGE_SIZE,
	PERF_SAMPLE_AUX,
};

enum { GROUP_COUNT = sizeof(groups) / sizeof(groups[0]) };

static const uint64_t dropped_fields =
	PERF_SAMPLE_REGS_USER | PERF_SAMPLE_STACK_USER | PERF_SAMPLE_REGS_INTR | PERF_SAMPLE_AUX;

bool plain_sample_changes(const struct perf_attr *attr)
{
	return attr->sample_type & dropped_fields ||
	       (attr->sample_type & PERF_SAMPLE_BRANCH_STACK && attr->branch_sample_type & BRANCH_COUNTERS);
}

/* Where in the payload each group ends. */
static int find_ends(size_t ends[static GROUP_COUNT], struct sample *sample, const struct event *event,
		     const struct perf_attr *attr, struct error *err)
{
	struct perf_attr up_to_here = *attr;

	up_to_here.sample_type = 0;
	for (size_t i = 0; i < GROUP_COUNT; i++) {
		up_to_here.sample_type |= attr->sample_type & groups[i];
		if (sample_decode(sample, event, &up_to_here, err) != 0)
			return -1;
		ends[i] = sample->decoded_size;
	}
	return 0;
}

int plain_sample_append(struct strbuf *out, const struct event *event, const struct perf_attr *attr,
			struct error *err)
{
	size_t ends[GROUP_COUNT], kept, counters_start = 0, counters_size = 0;
	struct sample sample;

	if (find_ends(ends, &sample, event, attr, err) != 0)
		return -1;
	if (sample.branch_counters) {
		counters_start = (size_t)(sample.branch_counters - event->payload);
		counters_size = sample.branch_count * sizeof(uint64_t);
	}
	kept = event->payload_size - (ends[1] - ends[0]) - (ends[3] - ends[2]) - (ends[5] - ends[4]) -
	       counters_size;
	record_header_add(out, event->type, event->misc, PERF_RECORD_HEADER_SIZE + kept, event->swap);
	/* The counters are the last of what the first group holds. */
	strbuf_add(out, event->payload, counters_size ? counters_start : ends[0]);
	strbuf_add(out, event->payload + ends[1], ends[2] - ends[1]);
	strbuf_add(out, event->payload + ends[3], ends[4] - ends[3]);
	strbuf_add(out, event->payload + ends[5], event->payload_size - ends[5]);
	return 0;
}

static void clear_bits(uint8_t *attr, size_t size, size_t offset, uint64_t bits, bool swap)
{
	uint64_t value;

	if (offset + sizeof(value) > size)
		return;
	memcpy(&value, attr + offset, sizeof(value));
	value &= ~(swap ? __builtin_bswap64(bits) : bits);
	memcpy(attr + offset, &value, sizeof(value));
}

static void clear_u32(uint8_t *attr, size_t size, size_t offset)
{
	if (offset + sizeof(uint32_t) <= size)
		memset(attr + offset, 0, sizeof(uint32_t));
}

void plain_sample_attr(uint8_t *attr, size_t size, bool swap)
{
	clear_bits(attr, size, offsetof(struct perf_event_attr, sample_type), dropped_fields, swap);
	clear_bits(attr, size, offsetof(struct perf_event_attr, branch_sample_type), BRANCH_COUNTERS, swap);
	clear_bits(attr, size, offsetof(struct perf_event_attr, sample_regs_user), UINT64_MAX, swap);
	clear_bits(attr, size, offsetof(struct perf_event_attr, sample_regs_intr), UINT64_MAX, swap);
	clear_u32(attr, size, offsetof(struct perf_event_attr, sample_stack_user));
	clear_u32(attr, size, offsetof(struct perf_event_attr, aux_sample_size));
}
