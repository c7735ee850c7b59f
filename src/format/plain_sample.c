/*
 * A sample consists of groups of fields; each group is kept or dropped as a whole. find_ends() decodes the sample with a
 * growing sample_type to learn where each group ends; plain_sample_append() then copies the groups that are kept. Only two
 * fields change: the call chain may be replaced, and branch counters are cut off.
 */
#include "format/plain_sample.h"

#include <linux/perf_event.h>
#include <string.h>

#include "format/perf_abi.h"
#include "format/record_header.h"
#include "format/sample.h"

/* The fields in the order of perf_output_sample(), in groups that are kept or dropped as a whole. */
static const struct {
	uint64_t fields;
	bool goes;
} groups[] = {
	{ PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_ADDR |
		  PERF_SAMPLE_ID | PERF_SAMPLE_STREAM_ID | PERF_SAMPLE_CPU | PERF_SAMPLE_PERIOD |
		  PERF_SAMPLE_READ,
	  false },
	{ PERF_SAMPLE_CALLCHAIN, false },
	{ PERF_SAMPLE_RAW | PERF_SAMPLE_BRANCH_STACK, false },
	{ PERF_SAMPLE_REGS_USER | PERF_SAMPLE_STACK_USER, true },
	{ PERF_SAMPLE_WEIGHT | PERF_SAMPLE_WEIGHT_STRUCT | PERF_SAMPLE_DATA_SRC | PERF_SAMPLE_TRANSACTION,
	  false },
	{ PERF_SAMPLE_REGS_INTR, true },
	{ PERF_SAMPLE_PHYS_ADDR | PERF_SAMPLE_CGROUP | PERF_SAMPLE_DATA_PAGE_SIZE |
		  PERF_SAMPLE_CODE_PAGE_SIZE,
	  false },
	{ PERF_SAMPLE_AUX, true },
};

enum { CHAIN_GROUP = 1, BRANCH_GROUP = 2, GROUP_COUNT = sizeof(groups) / sizeof(groups[0]) };

static const uint64_t dropped_fields =
	PERF_SAMPLE_REGS_USER | PERF_SAMPLE_STACK_USER | PERF_SAMPLE_REGS_INTR | PERF_SAMPLE_AUX;

bool plain_sample_changes(const struct perf_attr *attr)
{
	return attr->sample_type & dropped_fields ||
	       (attr->sample_type & PERF_SAMPLE_BRANCH_STACK &&
		(attr->branch_sample_type & BRANCH_COUNTERS || attr->group_counts_branches));
}

/* Finds where in the payload each group ends. */
static int find_ends(size_t ends[static GROUP_COUNT], struct sample *sample, const struct event *event,
		     const struct perf_attr *attr, struct error *err)
{
	struct perf_attr up_to_here = *attr;

	up_to_here.sample_type = 0;
	for (size_t i = 0; i < GROUP_COUNT; i++) {
		up_to_here.sample_type |= attr->sample_type & groups[i].fields;
		if (sample_decode(sample, event, &up_to_here, err) != 0)
			return -1;
		ends[i] = sample->decoded_size;
	}
	return 0;
}

static void add_chain(struct strbuf *out, const struct plain_chain *chain, size_t count, bool swap)
{
	strbuf_add_u64(out, count, swap);
	for (size_t i = 0; i < count; i++)
		strbuf_add_u64(out, chain->words[i], swap);
}

static size_t dropped_bytes(const size_t ends[static GROUP_COUNT])
{
	size_t bytes = 0;

	for (size_t i = 1; i < GROUP_COUNT; i++)
		bytes += groups[i].goes ? ends[i] - ends[i - 1] : 0;
	return bytes;
}

/* How many words of the chain fit into a record whose other bytes are `rest`. */
static size_t words_with_room(const struct plain_chain *chain, size_t rest)
{
	enum { RECORD_MAX_BYTES = UINT16_MAX & ~7, WORD_BYTES = 8 };
	const size_t others = PERF_RECORD_HEADER_SIZE + rest + WORD_BYTES;
	const size_t room = others < RECORD_MAX_BYTES ? (RECORD_MAX_BYTES - others) / WORD_BYTES : 0;

	return chain->count < room ? chain->count : room;
}

int plain_sample_append(struct strbuf *out, const struct event *event, const struct perf_attr *attr,
			const struct plain_chain *chain, struct error *err)
{
	size_t ends[GROUP_COUNT], start = 0, counters_size = 0;
	struct sample sample;
	struct strbuf payload = STRBUF_INIT;

	if (find_ends(ends, &sample, event, attr, err) != 0)
		return -1;
	if (sample.branch_counters) /* the counters are last in their group */
		counters_size = sample.branch_count * sizeof(uint64_t);
	for (size_t i = 0; i < GROUP_COUNT; start = ends[i++]) {
		const size_t size = ends[i] - start - (i == BRANCH_GROUP ? counters_size : 0);

		if (chain && i == CHAIN_GROUP)
			add_chain(&payload, chain,
				  words_with_room(chain, event->payload_size - (ends[i] - start) -
								 dropped_bytes(ends)),
				  event->swap);
		else if (!groups[i].goes)
			strbuf_add(&payload, event->payload + start, size);
	}
	strbuf_add(&payload, event->payload + start, event->payload_size - start);
	record_header_add(out, event->type, event->misc, PERF_RECORD_HEADER_SIZE + payload.size, event->swap);
	strbuf_add(out, payload.bytes, payload.size);
	strbuf_fini(&payload);
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

static uint64_t read_bits(const uint8_t *attr, size_t size, size_t offset, bool swap)
{
	uint64_t value = 0;

	if (offset + sizeof(value) <= size)
		memcpy(&value, attr + offset, sizeof(value));
	return swap ? __builtin_bswap64(value) : value;
}

/* Clears a bit field in the word behind read_format. Big-endian compilers fill each byte from its high end. */
static void clear_flag(uint8_t *attr, size_t size, enum perf_attr_flag flag, bool swap)
{
	const size_t offset =
		offsetof(struct perf_event_attr, read_format) + sizeof(uint64_t) + (size_t)flag / 8;
	const bool is_big_endian = (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__) != swap;
	const unsigned int bit = is_big_endian ? 7 - (unsigned int)flag % 8 : (unsigned int)flag % 8;

	if (offset < size)
		attr[offset] &= (uint8_t) ~(1U << bit);
}

/* Makes the attr say that chains are complete: nothing is deferred, and they have both kernel and user frames. */
static void promise_chains(uint8_t *attr, size_t size, bool swap)
{
	const size_t type_offset = offsetof(struct perf_event_attr, sample_type);
	uint64_t type = read_bits(attr, size, type_offset, swap);

	clear_flag(attr, size, PERF_ATTR_DEFER_CALLCHAIN, swap);
	clear_flag(attr, size, PERF_ATTR_DEFER_OUTPUT, swap);
	clear_flag(attr, size, PERF_ATTR_EXCLUDE_CALLCHAIN_USER, swap);
	if (!(type & PERF_SAMPLE_STACK_USER) || type_offset + sizeof(type) > size)
		return;
	type |= PERF_SAMPLE_CALLCHAIN;
	type = swap ? __builtin_bswap64(type) : type;
	memcpy(attr + type_offset, &type, sizeof(type));
}

void plain_sample_attr(uint8_t *attr, size_t size, bool swap, bool with_chains)
{
	if (with_chains)
		promise_chains(attr, size, swap);
	clear_bits(attr, size, offsetof(struct perf_event_attr, sample_type), dropped_fields, swap);
	clear_bits(attr, size, offsetof(struct perf_event_attr, branch_sample_type), BRANCH_COUNTERS, swap);
	clear_bits(attr, size, offsetof(struct perf_event_attr, sample_regs_user), UINT64_MAX, swap);
	clear_bits(attr, size, offsetof(struct perf_event_attr, sample_regs_intr), UINT64_MAX, swap);
	clear_u32(attr, size, offsetof(struct perf_event_attr, sample_stack_user));
	clear_u32(attr, size, offsetof(struct perf_event_attr, aux_sample_size));
}
