/*
 * The layout is that of perf_output_sample(), kernel/events/core.c. sample_parts_find() notes where chain, registers,
 * dump and trailer lie; sample_parts_append() copies what is between them unchanged, and corrects the record's size.
 */
#include "record/stack/sample_parts.h"

#include <string.h>

#include "base/byte_reader.h"
#include "format/perf_abi.h"

/* Fields of one word each that come before the call chain, perf_output_sample() of kernel/events/core.c */
static const uint64_t leading_words = PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_IP | PERF_SAMPLE_TID |
				      PERF_SAMPLE_TIME | PERF_SAMPLE_ADDR | PERF_SAMPLE_ID |
				      PERF_SAMPLE_STREAM_ID | PERF_SAMPLE_CPU | PERF_SAMPLE_PERIOD;
static const uint64_t known_fields = PERF_SAMPLE_CALLCHAIN | PERF_SAMPLE_RAW | PERF_SAMPLE_BRANCH_STACK |
				     PERF_SAMPLE_REGS_USER | PERF_SAMPLE_STACK_USER;
/* Fields after the dump, which are copied unchanged. */
static const uint64_t trailing_fields = PERF_SAMPLE_WEIGHT | PERF_SAMPLE_WEIGHT_STRUCT |
					PERF_SAMPLE_DATA_SRC | PERF_SAMPLE_TRANSACTION |
					PERF_SAMPLE_REGS_INTR | PERF_SAMPLE_PHYS_ADDR | PERF_SAMPLE_CGROUP |
					PERF_SAMPLE_DATA_PAGE_SIZE | PERF_SAMPLE_CODE_PAGE_SIZE;
static const uint64_t needed_fields = PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME |
				      PERF_SAMPLE_CALLCHAIN | PERF_SAMPLE_REGS_USER | PERF_SAMPLE_STACK_USER;

bool sample_parts_applies(const struct perf_event_attr *attr)
{
	return (attr->sample_type & needed_fields) == needed_fields &&
	       !(attr->sample_type & ~(leading_words | known_fields | trailing_fields));
}

/* Sizes and counts in a record are below its own 64 KiB; the next read fails on larger ones. */
static size_t bounded(uint64_t count)
{
	return count < UINT16_MAX ? (size_t)count : SIZE_MAX;
}

static void read_leading_words(struct sample_parts *parts, struct byte_reader *r,
			       const struct perf_event_attr *attr)
{
	size_t words = (size_t)__builtin_popcountll(attr->sample_type & leading_words);

	byte_reader_skip(r, sizeof(struct perf_event_header));
	if (attr->sample_type & PERF_SAMPLE_IDENTIFIER) {
		byte_reader_skip(r, 8);
		words--;
	}
	byte_reader_skip(r, 8); /* IP */
	parts->pid = byte_reader_u32(r);
	parts->tid = byte_reader_u32(r);
	parts->time_ns = byte_reader_u64(r);
	byte_reader_skip(r, 8 * (words - 3));
}

/* u64 nr; { u64 hw_idx; } && HW_INDEX; { u64 from, to, flags; } entries[nr]; { u64 counters[nr]; } && COUNTERS */
static void skip_branches(struct byte_reader *r, uint64_t branch_sample_type)
{
	const uint64_t count = byte_reader_u64(r);

	if (branch_sample_type & BRANCH_HW_INDEX)
		byte_reader_skip(r, 8);
	byte_reader_skip(r, count < UINT16_MAX ?
				    (size_t)count * (branch_sample_type & BRANCH_COUNTERS ? 32 : 24) :
				    SIZE_MAX);
}

bool sample_parts_find(struct sample_parts *parts, const uint8_t *record, size_t size,
		       const struct perf_event_attr *attr)
{
	struct byte_reader r = byte_reader_over(record, size, false);

	*parts = (struct sample_parts){ .record = record, .size = size };
	read_leading_words(parts, &r, attr);
	parts->chain_count = bounded(byte_reader_u64(&r));
	parts->chain = record + (size - byte_reader_left(&r));
	byte_reader_skip(&r, parts->chain_count == SIZE_MAX ? SIZE_MAX : 8 * parts->chain_count);
	if (attr->sample_type & PERF_SAMPLE_RAW)
		byte_reader_skip(&r, byte_reader_u32(&r));
	if (attr->sample_type & PERF_SAMPLE_BRANCH_STACK)
		skip_branches(&r, attr->branch_sample_type);
	parts->abi = byte_reader_u64(&r);
	parts->registers = record + (size - byte_reader_left(&r));
	if (parts->abi != PERF_SAMPLE_REGS_ABI_NONE)
		parts->registers_size = 8 * (size_t)__builtin_popcountll(attr->sample_regs_user);
	byte_reader_skip(&r, parts->registers_size);
	parts->dump_size = bounded(byte_reader_u64(&r));
	parts->dump = record + (size - byte_reader_left(&r));
	byte_reader_skip(&r, parts->dump_size);
	if (parts->dump_size)
		parts->filled = bounded(byte_reader_u64(&r));
	parts->trailer = record + (size - byte_reader_left(&r));
	return byte_reader_ok(&r) && parts->filled <= parts->dump_size &&
	       (byte_reader_left(&r) == 0 || (attr->sample_type & trailing_fields));
}

enum { WORD_BYTES = 8 };

static size_t rounded_up(size_t size)
{
	return (size + WORD_BYTES - 1) & ~(size_t)(WORD_BYTES - 1);
}

struct sample_rest sample_parts_all(const struct sample_parts *parts)
{
	const size_t room = parts->filled ? rounded_up(parts->filled) + WORD_BYTES : 0;

	return (struct sample_rest){ .chain = parts->chain,
				     .chain_count = parts->chain_count,
				     .dump_size = room < parts->dump_size ? room : parts->dump_size };
}

size_t sample_parts_chain_room(const struct sample_parts *parts)
{
	enum { RECORD_MAX_BYTES = UINT16_MAX & ~7 }; /* perf_event_header.size has 16 bits */
	const uint8_t *behind_chain = parts->chain + WORD_BYTES * parts->chain_count;
	const uint8_t *abi = parts->registers - WORD_BYTES;
	/* The last two words: the ABI of no registers, and the size of no dump. */
	const size_t rest = (size_t)(parts->chain - parts->record) + (size_t)(abi - behind_chain) +
			    (size_t)(parts->record + parts->size - parts->trailer) + WORD_BYTES + WORD_BYTES;

	return rest < RECORD_MAX_BYTES ? (RECORD_MAX_BYTES - rest) / WORD_BYTES : 0;
}

void sample_parts_append(struct strbuf *out, const struct sample_parts *parts, const struct sample_rest *rest)
{
	const uint8_t *behind_chain = parts->chain + 8 * parts->chain_count;
	const uint8_t *abi = parts->registers - sizeof(uint64_t);
	size_t start = out->size;
	uint16_t size;

	strbuf_add(out, parts->record, (size_t)(parts->chain - sizeof(uint64_t) - parts->record));
	strbuf_add_u64(out, rest->chain_count, false);
	strbuf_add(out, rest->chain, 8 * rest->chain_count);
	strbuf_add(out, behind_chain, (size_t)(abi - behind_chain));
	if (rest->drop_registers)
		strbuf_add_u64(out, PERF_SAMPLE_REGS_ABI_NONE, false);
	else
		strbuf_add(out, abi, sizeof(uint64_t) + parts->registers_size);
	strbuf_add_u64(out, rest->dump_size, false);
	strbuf_add(out, parts->dump, rest->dump_size);
	if (rest->dump_size) /* an empty dump has no dyn_size */
		strbuf_add_u64(out, rest->dump_size < parts->filled ? rest->dump_size : parts->filled, false);
	strbuf_add(out, parts->trailer, (size_t)(parts->record + parts->size - parts->trailer));
	size = (uint16_t)(out->size - start);
	memcpy(out->bytes + start + offsetof(struct perf_event_header, size), &size, sizeof(size));
}

uint64_t sample_chain_entry(const void *chain, size_t number)
{
	uint64_t entry;

	memcpy(&entry, (const uint8_t *)chain + number * sizeof(entry), sizeof(entry));
	return entry;
}
