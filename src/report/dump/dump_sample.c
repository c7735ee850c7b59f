/*
 * dump_sample() writes the fields that fit into the first line, then those that take lines of their own: values read,
 * call chain, branches, registers.
 */
#include "report/dump/dump_record.h"

#include <inttypes.h>
#include <linux/perf_event.h>
#include <stdio.h>

#include "format/branch_entry.h"
#include "format/callchain.h"
#include "format/register_name.h"

enum { READ_LOST = 1 << 4 }; /* PERF_FORMAT_LOST, Linux 6.0 */

/* enum perf_callchain_context */
static const struct {
	uint64_t value;
	const char *name;
} context_names[] = {
	{ (uint64_t)PERF_CONTEXT_HV, "[hv]" },
	{ (uint64_t)PERF_CONTEXT_KERNEL, "[kernel]" },
	{ (uint64_t)PERF_CONTEXT_USER, "[user]" },
	{ CALLCHAIN_USER_DEFERRED, "[user_deferred]" },
	{ (uint64_t)PERF_CONTEXT_GUEST, "[guest]" },
	{ (uint64_t)PERF_CONTEXT_GUEST_KERNEL, "[guest_kernel]" },
	{ (uint64_t)PERF_CONTEXT_GUEST_USER, "[guest_user]" },
};

static const char *context_name(uint64_t word)
{
	for (size_t i = 0; i < sizeof(context_names) / sizeof(context_names[0]); i++)
		if (context_names[i].value == word)
			return context_names[i].name;
	return NULL;
}

void dump_callchain(struct dump_out *out, struct byte_reader words)
{
	dump_list(out, "callchain");
	while (byte_reader_left(&words) >= sizeof(uint64_t)) {
		uint64_t word = byte_reader_u64(&words);
		const char *name = context_name(word);

		if (name)
			dump_word(out, NULL, name);
		else
			dump_hex(out, NULL, word);
	}
	dump_list_end(out);
}

static void dump_read_entry(struct dump_out *out, struct byte_reader *r, uint64_t read_format)
{
	dump_unsigned(out, "value", byte_reader_u64(r));
	if (read_format & PERF_FORMAT_ID)
		dump_unsigned(out, "id", byte_reader_u64(r));
	if (read_format & READ_LOST)
		dump_unsigned(out, "lost", byte_reader_u64(r));
}

static void dump_read_times(struct dump_out *out, struct byte_reader *r, uint64_t read_format)
{
	if (read_format & PERF_FORMAT_TOTAL_TIME_ENABLED)
		dump_unsigned(out, "time_enabled", byte_reader_u64(r));
	if (read_format & PERF_FORMAT_TOTAL_TIME_RUNNING)
		dump_unsigned(out, "time_running", byte_reader_u64(r));
}

/* { u64 value; times; id; lost }: the times are between the value and the rest. */
static void dump_read_single(struct dump_out *out, struct byte_reader *r, uint64_t read_format)
{
	dump_row(out);
	dump_unsigned(out, "value", byte_reader_u64(r));
	dump_read_times(out, r, read_format);
	if (read_format & PERF_FORMAT_ID)
		dump_unsigned(out, "id", byte_reader_u64(r));
	if (read_format & READ_LOST)
		dump_unsigned(out, "lost", byte_reader_u64(r));
	dump_row_end(out);
}

void dump_read_values(struct dump_out *out, struct byte_reader r, uint64_t read_format)
{
	uint64_t count;

	dump_rows(out, "read");
	if (!(read_format & PERF_FORMAT_GROUP)) {
		dump_read_single(out, &r, read_format);
		dump_rows_end(out);
		return;
	}
	count = byte_reader_u64(&r);
	dump_row(out);
	dump_unsigned(out, "group_of", count);
	dump_read_times(out, &r, read_format);
	dump_row_end(out);
	while (count-- && byte_reader_left(&r) >= sizeof(uint64_t)) {
		dump_row(out);
		dump_read_entry(out, &r, read_format);
		dump_row_end(out);
	}
	dump_rows_end(out);
}

static void dump_branches(struct dump_out *out, const struct sample *sample)
{
	static const struct dump_bit_name names[] = {
		{ 1, "mispredicted" }, { 2, "predicted" }, { 4, "in_tx" }, { 8, "abort" }, { 0, NULL }
	};

	if (sample->branch_hw_index != UINT64_MAX)
		dump_hex(out, "branch_hw_index", sample->branch_hw_index);
	dump_rows(out, "branches");
	for (size_t i = 0; i < sample->branch_count; i++) {
		struct branch_entry branch = sample_branch(sample, i);
		unsigned int flags = branch.mispredicted | branch.predicted << 1 |
				     branch.in_transaction << 2 | branch.transaction_abort << 3;

		dump_row(out);
		dump_hex(out, "from", branch.from);
		dump_hex(out, "to", branch.to);
		if (flags)
			dump_bits(out, "flags", flags, names);
		if (branch.cycles)
			dump_unsigned(out, "cycles", branch.cycles);
		if (branch.type)
			dump_unsigned(out, "type", branch.type);
		if (branch.speculation)
			dump_unsigned(out, "spec", branch.speculation);
		if (branch.new_type)
			dump_unsigned(out, "new_type", branch.new_type);
		if (branch.privilege)
			dump_unsigned(out, "priv", branch.privilege);
		if (sample->branch_counters)
			dump_hex(out, "counters", sample_word(sample, sample->branch_counters, i));
		dump_row_end(out);
	}
	dump_rows_end(out);
}

struct registers {
	const char *key;
	uint64_t abi, mask;
	const uint8_t *words;
};

static void dump_registers(struct dump_out *out, const struct sample *sample, struct registers registers,
			   const char *arch)
{
	static const char *const abi_names[] = { "none", "32", "64" };
	size_t word = 0;

	dump_rows(out, registers.key);
	dump_row(out);
	dump_word(out, "abi", registers.abi < 3 ? abi_names[registers.abi] : "unknown");
	for (unsigned int reg = 0; registers.words && reg < 64; reg++) {
		const char *name = register_name(arch, reg);
		char number[16];

		if (!(registers.mask >> reg & 1))
			continue;
		snprintf(number, sizeof(number), "r#%u", reg);
		dump_hex(out, name ? name : number, sample_word(sample, registers.words, word++));
	}
	dump_row_end(out);
	dump_rows_end(out);
}

static void dump_head(struct dump_out *out, const struct sample *sample)
{
	const uint64_t type = sample->present;

	if (type & PERF_SAMPLE_IP)
		dump_hex(out, "ip", sample->ip);
	if (type & PERF_SAMPLE_TID) {
		dump_signed(out, "pid", (int32_t)sample->pid);
		dump_signed(out, "tid", (int32_t)sample->tid);
	}
	if (type & PERF_SAMPLE_TIME)
		dump_time(out, "time", sample->time_ns);
	if (type & PERF_SAMPLE_ADDR)
		dump_hex(out, "addr", sample->addr);
	if (type & (PERF_SAMPLE_ID | PERF_SAMPLE_IDENTIFIER))
		dump_unsigned(out, "id", sample->id);
	if (type & PERF_SAMPLE_STREAM_ID)
		dump_unsigned(out, "stream_id", sample->stream_id);
	if (type & PERF_SAMPLE_CPU)
		dump_unsigned(out, "cpu", sample->cpu);
	if (type & PERF_SAMPLE_PERIOD)
		dump_unsigned(out, "period", sample->period);
}

static void dump_memory_fields(struct dump_out *out, const struct sample *sample)
{
	const uint64_t type = sample->present;

	if (type & (PERF_SAMPLE_WEIGHT | PERF_SAMPLE_WEIGHT_STRUCT))
		dump_unsigned(out, "weight", sample->weight);
	if (type & PERF_SAMPLE_WEIGHT_STRUCT) {
		dump_unsigned(out, "ins_lat", sample->weight_var2);
		dump_unsigned(out, "p_stage_cyc", sample->weight_var3);
	}
	if (type & PERF_SAMPLE_DATA_SRC)
		dump_hex(out, "data_src", sample->data_src);
	if (type & PERF_SAMPLE_TRANSACTION)
		dump_hex(out, "transaction", sample->transaction);
	if (type & PERF_SAMPLE_PHYS_ADDR)
		dump_hex(out, "phys_addr", sample->phys_addr);
	if (type & PERF_SAMPLE_CGROUP)
		dump_unsigned(out, "cgroup", sample->cgroup);
	if (type & PERF_SAMPLE_DATA_PAGE_SIZE)
		dump_unsigned(out, "data_page_size", sample->data_page_size);
	if (type & PERF_SAMPLE_CODE_PAGE_SIZE)
		dump_unsigned(out, "code_page_size", sample->code_page_size);
}

/* Numbers of bytes; only --raw shows the bytes themselves. */
static void dump_sizes(struct dump_out *out, const struct sample *sample)
{
	const uint64_t type = sample->present;

	if (type & PERF_SAMPLE_RAW)
		dump_unsigned(out, "raw_size", sample->raw_size);
	if (type & PERF_SAMPLE_STACK_USER)
		dump_unsigned(out, "user_stack_size", sample->user_stack_size);
	if (type & PERF_SAMPLE_AUX)
		dump_unsigned(out, "aux_size", sample->aux_size);
}

void dump_sample(struct dump_out *out, const struct sample *sample, const struct perf_attr *attr,
		 const char *arch)
{
	const uint64_t type = sample->present;

	dump_head(out, sample);
	dump_memory_fields(out, sample);
	dump_sizes(out, sample);
	if (type & PERF_SAMPLE_READ)
		dump_read_values(out, byte_reader_over(sample->read_values, sample->read_size, sample->swap),
				 attr->read_format);
	if (type & PERF_SAMPLE_CALLCHAIN)
		dump_callchain(out, byte_reader_over(sample->callchain, sample->callchain_count * 8,
						     sample->swap));
	if (type & PERF_SAMPLE_BRANCH_STACK)
		dump_branches(out, sample);
	if (type & PERF_SAMPLE_REGS_USER)
		dump_registers(out, sample,
			       (struct registers){ "user_regs", sample->user_regs_abi, sample->user_regs_mask,
						   sample->user_regs },
			       arch);
	if (type & PERF_SAMPLE_REGS_INTR)
		dump_registers(out, sample,
			       (struct registers){ "intr_regs", sample->intr_regs_abi, sample->intr_regs_mask,
						   sample->intr_regs },
			       arch);
}
