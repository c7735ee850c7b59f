#ifndef XPROF_FORMAT_SAMPLE_H
#define XPROF_FORMAT_SAMPLE_H

/*
 * One PERF_RECORD_SAMPLE, decoded in the order of perf_output_sample() (linux/perf_event.h, "struct { struct
 * perf_event_header header; ... }"). Fields that the event does not sample are 0 or empty. Variable parts
 * point into the record: callchain entries, registers and stack bytes are read in place, in the file's byte
 * order.
 */

#include "format/event.h"

enum { BRANCH_ENTRY_BYTES = 24 }; /* struct perf_branch_entry: from, to, flags */

struct sample {
	uint64_t present;    /* the event's sample_type */
	size_t decoded_size; /* number of payload bytes that were decoded */
	bool swap;
	uint16_t misc;
	uint64_t id; /* IDENTIFIER or ID */
	uint64_t ip;
	uint32_t pid, tid; /* (uint32_t)-1 without PERF_SAMPLE_TID */
	uint64_t time_ns;
	uint64_t addr;
	uint64_t stream_id;
	uint32_t cpu; /* (uint32_t)-1 without PERF_SAMPLE_CPU */
	uint64_t period; /* without PERF_SAMPLE_PERIOD the attr's period or, in frequency mode, its frequency, as in perf */

	const uint8_t *read_values; /* struct read_format: see sample_read_value() */
	size_t read_size;
	size_t read_count;

	const uint8_t *callchain; /* u64 each, PERF_CONTEXT_* markers included */
	size_t callchain_count;

	const uint8_t *raw;
	size_t raw_size;

	const uint8_t *branches; /* BRANCH_ENTRY_BYTES each: see branch_entry.h */
	size_t branch_count;
	uint64_t branch_hw_index;       /* UINT64_MAX when not recorded */
	const uint8_t *branch_counters; /* u64 each, branch_count of them; NULL when not recorded */

	uint64_t user_regs_abi;   /* PERF_SAMPLE_REGS_ABI_*; 0: none recorded */
	uint64_t user_regs_mask;  /* bit n: register n of the machine's perf_regs.h */
	const uint8_t *user_regs; /* u64 each, one per bit of the mask */

	const uint8_t *user_stack; /* from the user stack pointer upwards */
	size_t user_stack_size;    /* the bytes that were dumped (dyn_size) */
	bool user_stack_ended;     /* the dump is shorter than requested: no page is mapped behind it */

	uint64_t weight;                   /* WEIGHT, or var1_dw of WEIGHT_STRUCT */
	uint16_t weight_var2, weight_var3; /* of WEIGHT_STRUCT: instruction latency, pipeline stage cycles */
	uint64_t data_src;
	uint64_t transaction;
	uint64_t intr_regs_abi, intr_regs_mask;
	const uint8_t *intr_regs;
	uint64_t phys_addr;
	uint64_t cgroup;
	uint64_t data_page_size, code_page_size;
	const uint8_t *aux;
	size_t aux_size;
};

/*
 * Returns -1 with err set if a length inside does not fit into the record; the sample must not be used then.
 */
int sample_decode(struct sample *sample, const struct event *event, const struct perf_attr *attr,
		  struct error *err);

/* Reads only the time, even if the rest of the sample is damaged. 0 if it has none. */
uint64_t sample_peek_time_ns(const struct event *event, const struct perf_attr *attr);

static inline uint64_t sample_word(const struct sample *sample, const uint8_t *words, size_t number)
{
	uint64_t word;

	memcpy(&word, words + number * sizeof(word), sizeof(word));
	return sample->swap ? __builtin_bswap64(word) : word;
}

/* The value of a counter at the sample: PERF_SAMPLE_READ. */
struct read_value {
	uint64_t value;
	uint64_t id;   /* of the counter; 0 without PERF_FORMAT_ID */
	uint64_t lost; /* 0 without PERF_FORMAT_LOST */
};

/*
 * Value `number`, below read_count. With PERF_FORMAT_GROUP there is one for each member of the group, the
 * sampling event first; perf turns each one into a sample of its event, whose period is the difference from
 * the previous value.
 */
struct read_value sample_read_value(const struct sample *sample, const struct perf_attr *attr, size_t number);

/* Entry `number` (below callchain_count), leaf first as the kernel writes it. */
static inline uint64_t sample_callchain_entry(const struct sample *sample, size_t number)
{
	return sample_word(sample, sample->callchain, number);
}

/* The value of register `reg` of perf_regs.h. Returns 0, or -1 if it was not recorded. */
int sample_user_reg(const struct sample *sample, unsigned int reg, uint64_t *value);

#endif
