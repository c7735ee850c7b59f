/* The fields are in the order of perf_output_sample() and perf_event__output_id_sample(), kernel/events/core.c. */
#include "kernel/record_bytes.h"

#include <string.h>

enum {
	/* Bits and types that older headers lack, linux/perf_event.h */
	HW_INDEX = 1 << 17,
	PRIV_SAVE = 1 << 18,
	TYPE_LOST_SAMPLES = 13,
};

static const uint64_t first_user_context = (uint64_t)PERF_CONTEXT_USER, kernel_half = UINT64_C(1) << 63;

static void add(struct strbuf *bytes, uint64_t word)
{
	strbuf_add_u64(bytes, word, false);
}

static void add_pair(struct strbuf *bytes, uint64_t first, uint64_t second)
{
	strbuf_add_u32(bytes, (uint32_t)first, false);
	strbuf_add_u32(bytes, (uint32_t)second, false);
}

void record_bytes_add_counts(struct strbuf *bytes, const struct record_shape *shape, const uint64_t *counts,
			     size_t count)
{
	const uint64_t format = shape->attr->read_format;
	const bool group = format & PERF_FORMAT_GROUP;
	const size_t events = group ? shape->group_size : 1;

	if (group)
		add(bytes, events);
	else
		add(bytes, count ? counts[0] : 0);
	if (format & PERF_FORMAT_TOTAL_TIME_ENABLED)
		add(bytes, shape->running_ns);
	if (format & PERF_FORMAT_TOTAL_TIME_RUNNING)
		add(bytes, shape->running_ns);
	for (size_t i = 0; i < events; i++) {
		if (group)
			add(bytes, i < count ? counts[i] : 0);
		if (format & PERF_FORMAT_ID)
			add(bytes, group ? shape->group_ids[i] : shape->id);
		if (format & PERF_FORMAT_LOST)
			add(bytes, 0);
	}
}

/* Leaves out the contexts that the attr excludes. */
static void add_chain(struct strbuf *bytes, const struct words *chain, const struct perf_event_attr *attr)
{
	const size_t count_at = bytes->size;
	uint64_t count = 0;
	bool wanted = true;

	add(bytes, 0);
	for (size_t i = 0; i < chain->count; i++) {
		const uint64_t word = chain->items[i];

		if (word == first_user_context)
			wanted = !attr->exclude_callchain_user;
		else if (word == (uint64_t)PERF_CONTEXT_KERNEL)
			wanted = !attr->exclude_callchain_kernel;
		if (!wanted)
			continue;
		add(bytes, word);
		count++;
	}
	memcpy(bytes->bytes + count_at, &count, sizeof(count));
}

/* Keeps only the bits that the attr asks for: flags, cycles, type, speculation, privilege. */
static uint64_t branch_flags(uint64_t flags, uint64_t wanted)
{
	if (wanted & PERF_SAMPLE_BRANCH_NO_FLAGS)
		flags &= ~UINT64_C(15);
	if (wanted & PERF_SAMPLE_BRANCH_NO_CYCLES)
		flags &= ~(UINT64_C(0xffff) << 4);
	if (!(wanted & PERF_SAMPLE_BRANCH_TYPE_SAVE))
		flags &= ~(UINT64_C(15) << 20 | UINT64_C(15) << 26);
	if (!(wanted & PRIV_SAVE))
		flags &= ~(UINT64_C(7) << 30);
	return flags;
}

static void add_branches(struct strbuf *bytes, const struct play_record *record,
			 const struct record_shape *shape)
{
	const uint64_t wanted = shape->attr->branch_sample_type;
	const struct words *branches = &record->lists[LIST_BRANCHES],
			   *counters = &record->lists[LIST_COUNTERS];
	const size_t kept = branches->count / 3,
		     count = kept < shape->branch_entries ? kept : shape->branch_entries;

	add(bytes, count);
	if (wanted & HW_INDEX)
		add(bytes, record->numbers[NUMBER_HW_INDEX]);
	for (size_t i = 0; i < count; i++) {
		add(bytes, branches->items[3 * i]);
		add(bytes, branches->items[3 * i + 1]);
		add(bytes, branch_flags(branches->items[3 * i + 2], wanted));
	}
	for (size_t i = 0; shape->counts_branches && i < count; i++)
		add(bytes, i < counters->count ? counters->items[i] : 0);
}

static uint64_t register_value(const struct words *regs, unsigned int number)
{
	for (size_t i = 0; i + 1 < regs->count; i += 2)
		if (regs->items[i] == number)
			return regs->items[i + 1];
	return 0;
}

static void add_regs(struct strbuf *bytes, const struct words *regs, uint64_t mask)
{
	add(bytes, regs->count ? PERF_SAMPLE_REGS_ABI_64 : PERF_SAMPLE_REGS_ABI_NONE);
	for (unsigned int i = 0; regs->count && i < 64; i++)
		if (mask >> i & 1)
			add(bytes, register_value(regs, i));
}

static void add_stack(struct strbuf *bytes, const struct play_record *record, uint32_t wanted_bytes)
{
	const struct words *stack = &record->lists[LIST_STACK];
	const size_t words = wanted_bytes / 8, used = stack->count < words ? stack->count : words;

	if (!record->lists[LIST_REGS].count) { /* a kernel thread: nothing is dumped */
		add(bytes, 0);
		return;
	}
	add(bytes, words * 8);
	for (size_t i = 0; i < words; i++)
		add(bytes, i < used ? stack->items[i] : 0);
	add(bytes, used * 8);
}

static void add_sample_end(struct strbuf *bytes, const struct play_record *record,
			   const struct record_shape *shape)
{
	const struct perf_event_attr *attr = shape->attr;
	static const uint64_t single_words = PERF_SAMPLE_DATA_SRC | PERF_SAMPLE_TRANSACTION;
	static const uint64_t last_words = PERF_SAMPLE_PHYS_ADDR | PERF_SAMPLE_CGROUP |
					   PERF_SAMPLE_DATA_PAGE_SIZE | PERF_SAMPLE_CODE_PAGE_SIZE;

	if (attr->sample_type & (PERF_SAMPLE_WEIGHT | PERF_SAMPLE_WEIGHT_STRUCT))
		add(bytes, record->numbers[NUMBER_WEIGHT]);
	strbuf_add_zeros(bytes, 8 * (size_t)__builtin_popcountll(attr->sample_type & single_words));
	if (attr->sample_type & PERF_SAMPLE_REGS_INTR)
		add_regs(bytes, &record->lists[LIST_REGS], attr->sample_regs_intr);
	strbuf_add_zeros(bytes, 8 * (size_t)__builtin_popcountll(attr->sample_type & last_words));
}

static void add_sample_start(struct strbuf *bytes, const struct play_record *record,
			     const struct record_shape *shape)
{
	const uint64_t fields = shape->attr->sample_type, *numbers = record->numbers;

	if (fields & PERF_SAMPLE_IDENTIFIER)
		add(bytes, shape->id);
	if (fields & PERF_SAMPLE_IP)
		add(bytes, numbers[NUMBER_IP]);
	if (fields & PERF_SAMPLE_TID)
		add_pair(bytes, numbers[NUMBER_PID], numbers[NUMBER_TID]);
	if (fields & PERF_SAMPLE_TIME)
		add(bytes, numbers[NUMBER_TIME]);
	if (fields & PERF_SAMPLE_ADDR)
		add(bytes, numbers[NUMBER_ADDR]);
	if (fields & PERF_SAMPLE_ID)
		add(bytes, shape->id);
	if (fields & PERF_SAMPLE_STREAM_ID)
		add(bytes, shape->id);
	if (fields & PERF_SAMPLE_CPU)
		add_pair(bytes, numbers[NUMBER_CPU], 0);
	if (fields & PERF_SAMPLE_PERIOD)
		add(bytes, numbers[NUMBER_PERIOD]);
}

static void add_sample(struct strbuf *bytes, const struct play_record *record,
		       const struct record_shape *shape)
{
	const struct perf_event_attr *attr = shape->attr;
	const struct words *reads = &record->lists[LIST_READS];

	add_sample_start(bytes, record, shape);
	if (attr->sample_type & PERF_SAMPLE_READ)
		record_bytes_add_counts(bytes, shape, reads->items, reads->count);
	if (attr->sample_type & PERF_SAMPLE_CALLCHAIN)
		add_chain(bytes, &record->lists[LIST_CHAIN], attr);
	if (attr->sample_type & PERF_SAMPLE_RAW)
		add_pair(bytes, 4, 0);
	if (attr->sample_type & PERF_SAMPLE_BRANCH_STACK)
		add_branches(bytes, record, shape);
	if (attr->sample_type & PERF_SAMPLE_REGS_USER)
		add_regs(bytes, &record->lists[LIST_REGS], attr->sample_regs_user);
	if (attr->sample_type & PERF_SAMPLE_STACK_USER)
		add_stack(bytes, record, attr->sample_stack_user);
	add_sample_end(bytes, record, shape);
}

static void add_trailer(struct strbuf *bytes, const struct play_record *record,
			const struct record_shape *shape)
{
	const uint64_t fields = shape->attr->sample_id_all ? shape->attr->sample_type : 0;

	if (fields & PERF_SAMPLE_TID)
		add_pair(bytes, record->numbers[NUMBER_PID], record->numbers[NUMBER_TID]);
	if (fields & PERF_SAMPLE_TIME)
		add(bytes, record->numbers[NUMBER_TIME]);
	if (fields & PERF_SAMPLE_ID)
		add(bytes, shape->id);
	if (fields & PERF_SAMPLE_STREAM_ID)
		add(bytes, shape->id);
	if (fields & PERF_SAMPLE_CPU)
		add_pair(bytes, record->numbers[NUMBER_CPU], 0);
	if (fields & PERF_SAMPLE_IDENTIFIER)
		add(bytes, shape->id);
}

static void add_name(struct strbuf *bytes, const char *name)
{
	strbuf_adds(bytes, name ? name : "");
	strbuf_add_zeros(bytes, 8 - (name ? strlen(name) : 0) % 8);
}

static void add_map(struct strbuf *bytes, const struct play_record *record, bool mmap2)
{
	const uint64_t *numbers = record->numbers;

	add_pair(bytes, numbers[NUMBER_PID], numbers[NUMBER_TID]);
	add(bytes, numbers[NUMBER_START]);
	add(bytes, numbers[NUMBER_SIZE]);
	add(bytes, numbers[NUMBER_OFFSET]);
	if (mmap2) {
		add_pair(bytes, 8, 1);                     /* major and minor number of a device */
		add(bytes, 1000 + numbers[NUMBER_OFFSET]); /* inode */
		add(bytes, 0);
		add_pair(bytes, 5, 2); /* PROT_READ | PROT_EXEC, MAP_PRIVATE */
	}
	add_name(bytes, record->name);
}

static void add_task(struct strbuf *bytes, const uint64_t *numbers)
{
	add_pair(bytes, numbers[NUMBER_PID], numbers[NUMBER_PPID]);
	add_pair(bytes, numbers[NUMBER_TID], numbers[NUMBER_PPID]);
	add(bytes, numbers[NUMBER_TIME]);
}

static uint32_t add_body(struct strbuf *bytes, const struct play_record *record,
			 const struct record_shape *shape)
{
	const uint64_t *numbers = record->numbers;

	switch (record->kind) {
	case PLAY_SAMPLE: add_sample(bytes, record, shape); return PERF_RECORD_SAMPLE;
	case PLAY_MMAP:
		add_map(bytes, record, shape->attr->mmap2);
		return shape->attr->mmap2 ? PERF_RECORD_MMAP2 : PERF_RECORD_MMAP;
	case PLAY_COMM:
		add_pair(bytes, numbers[NUMBER_PID], numbers[NUMBER_TID]);
		add_name(bytes, record->name);
		return PERF_RECORD_COMM;
	case PLAY_FORK: add_task(bytes, numbers); return PERF_RECORD_FORK;
	case PLAY_EXIT: add_task(bytes, numbers); return PERF_RECORD_EXIT;
	case PLAY_LOST:
		add(bytes, shape->id);
		add(bytes, numbers[NUMBER_COUNT]);
		return PERF_RECORD_LOST;
	case PLAY_LOST_SAMPLES: add(bytes, numbers[NUMBER_COUNT]); return TYPE_LOST_SAMPLES;
	case PLAY_THROTTLE:
	case PLAY_UNTHROTTLE:
		add(bytes, numbers[NUMBER_TIME]);
		add(bytes, shape->id);
		add(bytes, shape->id);
		return record->kind == PLAY_THROTTLE ? PERF_RECORD_THROTTLE : PERF_RECORD_UNTHROTTLE;
	}
	return 0;
}

void record_bytes_add(struct strbuf *bytes, const struct play_record *record,
		      const struct record_shape *shape)
{
	const size_t start = bytes->size;
	struct perf_event_header header = { 0 };

	strbuf_add(bytes, &header, sizeof(header));
	header.type = add_body(bytes, record, shape);
	if (record->kind != PLAY_SAMPLE)
		add_trailer(bytes, record, shape);
	header.misc =
		record->numbers[NUMBER_IP] & kernel_half ? PERF_RECORD_MISC_KERNEL : PERF_RECORD_MISC_USER;
	if (record->numbers[NUMBER_EXACT])
		header.misc |= PERF_RECORD_MISC_EXACT_IP;
	if (record->kind != PLAY_SAMPLE && record->kind != PLAY_MMAP)
		header.misc = 0;
	header.size = (uint16_t)(bytes->size - start);
	memcpy(bytes->bytes + start, &header, sizeof(header));
}
