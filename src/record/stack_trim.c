#include "record/stack_trim.h"

#include <string.h>

#include "base/byte_reader.h"

/* Fields of one word each that come before the call chain, perf_output_sample() of kernel/events/core.c */
static const uint64_t leading_words = PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_IP | PERF_SAMPLE_TID |
				      PERF_SAMPLE_TIME | PERF_SAMPLE_ADDR | PERF_SAMPLE_ID |
				      PERF_SAMPLE_STREAM_ID | PERF_SAMPLE_CPU | PERF_SAMPLE_PERIOD;
static const uint64_t known_fields = PERF_SAMPLE_CALLCHAIN | PERF_SAMPLE_RAW | PERF_SAMPLE_BRANCH_STACK |
				     PERF_SAMPLE_REGS_USER | PERF_SAMPLE_STACK_USER;

bool stack_trim_applies(const struct perf_event_attr *attr)
{
	return attr->sample_type & PERF_SAMPLE_STACK_USER &&
	       !(attr->sample_type & ~(leading_words | known_fields));
}

/* u64 nr; { u64 hw_idx; } && HW_INDEX; { u64 from, to, flags; } entries[nr]; { u64 counters[nr]; } && COUNTERS */
static void skip_branches(struct byte_reader *r, uint64_t branch_sample_type)
{
	enum {
		HW_INDEX = 1 << 17,
		COUNTERS = 1 << 19
	}; /* enum perf_branch_sample_type of Linux 5.7 and 6.8 */
	const uint64_t count = byte_reader_u64(r);

	if (branch_sample_type & HW_INDEX)
		byte_reader_skip(r, 8);
	byte_reader_skip(r, count < UINT16_MAX ? (size_t)count * (branch_sample_type & COUNTERS ? 32 : 24) :
						 SIZE_MAX);
}

/* Steps over everything in front of the dump. */
static void skip_to_stack(struct byte_reader *r, const struct perf_event_attr *attr)
{
	byte_reader_skip(r, sizeof(struct perf_event_header));
	byte_reader_skip(r, 8 * (size_t)__builtin_popcountll(attr->sample_type & leading_words));
	if (attr->sample_type & PERF_SAMPLE_CALLCHAIN) {
		uint64_t count = byte_reader_u64(r);

		byte_reader_skip(r, count < UINT16_MAX ? 8 * (size_t)count : SIZE_MAX);
	}
	if (attr->sample_type & PERF_SAMPLE_RAW)
		byte_reader_skip(r, byte_reader_u32(r));
	if (attr->sample_type & PERF_SAMPLE_BRANCH_STACK)
		skip_branches(r, attr->branch_sample_type);
	if (attr->sample_type & PERF_SAMPLE_REGS_USER && byte_reader_u64(r) != PERF_SAMPLE_REGS_ABI_NONE)
		byte_reader_skip(r, 8 * (size_t)__builtin_popcountll(attr->sample_regs_user));
}

void stack_trim_append(struct strbuf *out, const uint8_t *record, size_t size,
		       const struct perf_event_attr *attr)
{
	struct byte_reader r = byte_reader_over(record, size, false);
	size_t start = out->size, front, kept;
	uint64_t dump_size, filled;
	uint16_t trimmed_size;

	skip_to_stack(&r, attr);
	front = size - byte_reader_left(&r);
	dump_size = byte_reader_u64(&r);
	byte_reader_skip(&r, dump_size < UINT16_MAX ? (size_t)dump_size : SIZE_MAX);
	filled = dump_size ? byte_reader_u64(&r) : 0;
	kept = (size_t)(filled + 7) & ~(size_t)7;
	if (!byte_reader_ok(&r) || byte_reader_left(&r) != 0 || filled > dump_size || kept >= dump_size) {
		strbuf_add(out, record, size); /* nothing to take away, or not as expected: as it is */
		return;
	}
	strbuf_add(out, record, front);
	strbuf_add_u64(out, kept, false);
	strbuf_add(out, record + front + 8, kept);
	if (kept) /* an empty dump has no dyn_size */
		strbuf_add_u64(out, filled, false);
	trimmed_size = (uint16_t)(out->size - start);
	memcpy(out->bytes + start + offsetof(struct perf_event_header, size), &trimmed_size,
	       sizeof(trimmed_size));
}
