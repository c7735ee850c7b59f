/*
 * sample_decode() reads three parts, in the order of perf_output_sample(): the head of fixed words, whose size is checked
 * once, the parts of variable size, and the tail. A sample with only a head skips the rest, since this runs for each sample
 * of a file.
 */
#include "format/sample.h"

#include <inttypes.h>
#include <linux/perf_event.h>

#include "format/perf_abi.h"

enum { READ_LOST = 1 << 4 }; /* a bit of read_format that older headers do not define */

/* Reads `count` words; NULL, with the reader failed, if there are fewer. No count can overflow. */
static const uint8_t *read_words(struct byte_reader *r, uint64_t count, size_t word_size)
{
	if (count > byte_reader_left(r) / word_size) {
		r->failed = true;
		return NULL;
	}
	return byte_reader_bytes(r, count * word_size);
}

/* Words before the values of struct read_format, linux/perf_event.h; below, words of each value. */
static size_t read_format_head_words(uint64_t format)
{
	return !!(format & PERF_FORMAT_GROUP) + !!(format & PERF_FORMAT_TOTAL_TIME_ENABLED) +
	       !!(format & PERF_FORMAT_TOTAL_TIME_RUNNING);
}

static size_t read_format_value_words(uint64_t format)
{
	return 1 + !!(format & PERF_FORMAT_ID) + !!(format & READ_LOST);
}

/* With GROUP { u64 nr; times; { value; id; lost }[nr] }, else { value; times; id; lost }. */
static void read_counter_values(struct sample *sample, struct byte_reader *r, uint64_t format)
{
	const uint8_t *start = r->next;
	struct byte_reader first = *r;
	uint64_t count = format & PERF_FORMAT_GROUP ? byte_reader_u64(&first) : 1;

	byte_reader_skip(r, read_format_head_words(format) * 8);
	read_words(r, count, read_format_value_words(format) * 8);
	if (!byte_reader_ok(r))
		return;
	sample->read_values = start;
	sample->read_size = (size_t)(r->next - start);
	sample->read_count = count;
}

struct read_value sample_read_value(const struct sample *sample, const struct perf_attr *attr, size_t number)
{
	const uint64_t format = attr->read_format;
	const bool group = format & PERF_FORMAT_GROUP;
	size_t head = read_format_head_words(format), word = 0;
	struct read_value value = { 0 };

	if (number >= sample->read_count)
		return value;
	if (group)
		word = head + number * read_format_value_words(format);
	value.value = sample_word(sample, sample->read_values, word);
	word += 1 + (group ? 0 : head);
	if (format & PERF_FORMAT_ID)
		value.id = sample_word(sample, sample->read_values, word++);
	if (format & READ_LOST)
		value.lost = sample_word(sample, sample->read_values, word);
	return value;
}

static void read_callchain(struct sample *sample, struct byte_reader *r)
{
	uint64_t count = byte_reader_u64(r);

	sample->callchain = read_words(r, count, 8);
	sample->callchain_count = sample->callchain ? count : 0;
}

static void read_raw(struct sample *sample, struct byte_reader *r)
{
	/* The kernel's raw_size includes the bytes that align the end of the field to eight. */
	sample->raw_size = byte_reader_u32(r);
	sample->raw = byte_reader_bytes(r, sample->raw_size);
}

static void read_branches(struct sample *sample, struct byte_reader *r, const struct perf_attr *attr)
{
	uint64_t count = byte_reader_u64(r);

	if (attr->branch_sample_type & BRANCH_HW_INDEX)
		sample->branch_hw_index = byte_reader_u64(r);
	sample->branches = read_words(r, count, BRANCH_ENTRY_BYTES);
	sample->branch_count = sample->branches ? count : 0;
	if (attr->branch_sample_type & BRANCH_COUNTERS || attr->group_counts_branches)
		sample->branch_counters = read_words(r, count, 8);
}

/* Registers follow only if the ABI is not 0: kernel threads have no user registers. */
static const uint8_t *read_registers(struct byte_reader *r, uint64_t mask, uint64_t *abi)
{
	*abi = byte_reader_u64(r);
	return *abi ? read_words(r, (uint64_t)__builtin_popcountll(mask), 8) : NULL;
}

static void read_user_stack(struct sample *sample, struct byte_reader *r)
{
	uint64_t reserved = byte_reader_u64(r), dumped;

	if (reserved == 0)
		return; /* dyn_size follows only if there is a dump */
	sample->user_stack = read_words(r, reserved, 1);
	dumped = byte_reader_u64(r);
	sample->user_stack_size = dumped < reserved ? dumped : reserved;
	sample->user_stack_ended = dumped < reserved;
}

static void read_weight(struct sample *sample, struct byte_reader *r)
{
	uint64_t weight = byte_reader_u64(r);

	if (sample->present & PERF_SAMPLE_WEIGHT_STRUCT) { /* union perf_sample_weight */
		sample->weight = weight & UINT32_MAX;
		sample->weight_var2 = weight >> 32 & UINT16_MAX;
		sample->weight_var3 = weight >> 48;
	} else {
		sample->weight = weight;
	}
}

/* Fields at the beginning of every sample, a word each. */
enum {
	HEAD_FIELDS = PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME |
		      PERF_SAMPLE_ADDR | PERF_SAMPLE_ID | PERF_SAMPLE_STREAM_ID | PERF_SAMPLE_CPU |
		      PERF_SAMPLE_PERIOD,
};

uint64_t sample_peek_time_ns(const struct event *event, const struct perf_attr *attr)
{
	static const uint64_t before = PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_IP | PERF_SAMPLE_TID;
	struct byte_reader r = event_payload(event);

	if (!(attr->sample_type & PERF_SAMPLE_TIME))
		return 0;
	byte_reader_skip(&r, (size_t)__builtin_popcountll(attr->sample_type & before) * sizeof(uint64_t));
	return byte_reader_u64(&r);
}

/* Word `number` of the head. The size of the whole head was checked before: most samples are nothing else. */
static uint64_t head_word(const struct sample *sample, const uint8_t *head, size_t *number)
{
	return sample_word(sample, head, (*number)++);
}

/* Two 32-bit fields share a word. Their order does not depend on the byte order. */
static uint32_t head_half(const struct sample *sample, const uint8_t *head, size_t number, size_t half)
{
	uint32_t value;

	memcpy(&value, head + number * sizeof(uint64_t) + half * sizeof(value), sizeof(value));
	return sample->swap ? __builtin_bswap32(value) : value;
}

static void read_head(struct sample *sample, struct byte_reader *r)
{
	const uint64_t type = sample->present;
	const uint8_t *head =
		byte_reader_bytes(r, (size_t)__builtin_popcountll(type & HEAD_FIELDS) * sizeof(uint64_t));
	size_t word = 0;

	if (!head)
		return;
	if (type & PERF_SAMPLE_IDENTIFIER)
		sample->id = head_word(sample, head, &word);
	if (type & PERF_SAMPLE_IP)
		sample->ip = head_word(sample, head, &word);
	if (type & PERF_SAMPLE_TID) {
		sample->pid = head_half(sample, head, word, 0);
		sample->tid = head_half(sample, head, word++, 1);
	}
	if (type & PERF_SAMPLE_TIME)
		sample->time_ns = head_word(sample, head, &word);
	if (type & PERF_SAMPLE_ADDR)
		sample->addr = head_word(sample, head, &word);
	if (type & PERF_SAMPLE_ID)
		sample->id = head_word(sample, head, &word);
	if (type & PERF_SAMPLE_STREAM_ID)
		sample->stream_id = head_word(sample, head, &word);
	if (type & PERF_SAMPLE_CPU)
		sample->cpu = head_half(sample, head, word++, 0);
	if (type & PERF_SAMPLE_PERIOD)
		sample->period = head_word(sample, head, &word);
}

/* Reads the parts of variable size: counter values, stacks, raw data, branches, registers. */
static void read_variable_parts(struct sample *sample, struct byte_reader *r, const struct perf_attr *attr)
{
	const uint64_t type = sample->present;

	if (type & PERF_SAMPLE_READ)
		read_counter_values(sample, r, attr->read_format);
	if (type & PERF_SAMPLE_CALLCHAIN)
		read_callchain(sample, r);
	if (type & PERF_SAMPLE_RAW)
		read_raw(sample, r);
	if (type & PERF_SAMPLE_BRANCH_STACK)
		read_branches(sample, r, attr);
	if (type & PERF_SAMPLE_REGS_USER) {
		sample->user_regs_mask = attr->sample_regs_user;
		sample->user_regs = read_registers(r, attr->sample_regs_user, &sample->user_regs_abi);
	}
	if (type & PERF_SAMPLE_STACK_USER)
		read_user_stack(sample, r);
}

static void read_tail(struct sample *sample, struct byte_reader *r, const struct perf_attr *attr)
{
	const uint64_t type = sample->present;

	if (type & (PERF_SAMPLE_WEIGHT | PERF_SAMPLE_WEIGHT_STRUCT))
		read_weight(sample, r);
	if (type & PERF_SAMPLE_DATA_SRC)
		sample->data_src = byte_reader_u64(r);
	if (type & PERF_SAMPLE_TRANSACTION)
		sample->transaction = byte_reader_u64(r);
	if (type & PERF_SAMPLE_REGS_INTR) {
		sample->intr_regs_mask = attr->sample_regs_intr;
		sample->intr_regs = read_registers(r, attr->sample_regs_intr, &sample->intr_regs_abi);
	}
	if (type & PERF_SAMPLE_PHYS_ADDR)
		sample->phys_addr = byte_reader_u64(r);
	if (type & PERF_SAMPLE_CGROUP)
		sample->cgroup = byte_reader_u64(r);
	if (type & PERF_SAMPLE_DATA_PAGE_SIZE)
		sample->data_page_size = byte_reader_u64(r);
	if (type & PERF_SAMPLE_CODE_PAGE_SIZE)
		sample->code_page_size = byte_reader_u64(r);
	if (type & PERF_SAMPLE_AUX) {
		sample->aux_size = byte_reader_u64(r);
		sample->aux = byte_reader_bytes(r, sample->aux_size);
	}
}

/* In pieces: gcc 12 compiles a larger memset() to "rep stos", which takes as long as the rest of decoding a plain sample. */
static void clear(struct sample *sample)
{
	enum { PIECE_BYTES = 64 };
	uint8_t *bytes = (uint8_t *)sample;
	size_t start = 0;

	for (; start + PIECE_BYTES <= sizeof(*sample); start += PIECE_BYTES)
		memset(bytes + start, 0, PIECE_BYTES);
	memset(bytes + start, 0, sizeof(*sample) % PIECE_BYTES);
}

int sample_decode(struct sample *sample, const struct event *event, const struct perf_attr *attr,
		  struct error *err)
{
	struct byte_reader r = event_payload(event);

	clear(sample);
	sample->present = attr->sample_type;
	sample->swap = event->swap;
	sample->misc = event->misc;
	sample->pid = sample->tid = sample->cpu = UINT32_MAX;
	sample->period = attr->sample_period_or_freq;
	sample->branch_hw_index = UINT64_MAX;
	read_head(sample, &r);
	if (sample->present & ~(uint64_t)HEAD_FIELDS) {
		read_variable_parts(sample, &r, attr);
		read_tail(sample, &r, attr);
	}
	sample->decoded_size = (size_t)(r.next - event->payload);
	if (byte_reader_ok(&r))
		return 0;
	return error_set(err,
			 "SAMPLE record at offset 0x%" PRIx64 ": %" PRIu32
			 " bytes are too few for its fields (sample_type 0x%" PRIx64 ")",
			 event->file_offset, event->size, attr->sample_type);
}

int sample_user_reg(const struct sample *sample, unsigned int reg, uint64_t *value)
{
	const uint64_t mask = sample->user_regs_mask;

	if (!sample->user_regs || reg >= 64 || !(mask >> reg & 1))
		return -1;
	*value = sample_word(sample, sample->user_regs,
			     (size_t)__builtin_popcountll(mask & (((uint64_t)1 << reg) - 1)));
	return 0;
}
