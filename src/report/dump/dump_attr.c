/*
 * Tables of the bits' names, by number, and one function that writes the members. precise_ip has two bits, so each of
 * its values has an entry, the largest first.
 */
#include "report/dump/dump_attr.h"

#include <linux/perf_event.h>

#define BIT(n) ((uint64_t)1 << (n))

static const char *const type_names[] = { "hardware", "software", "tracepoint",
					  "hw_cache", "raw",      "breakpoint" };

/* enum perf_event_sample_format, linux/perf_event.h, by number: older headers lack the last */
const struct dump_bit_name dump_sample_type_names[] = {
	{ BIT(0), "IP" },
	{ BIT(1), "TID" },
	{ BIT(2), "TIME" },
	{ BIT(3), "ADDR" },
	{ BIT(4), "READ" },
	{ BIT(5), "CALLCHAIN" },
	{ BIT(6), "ID" },
	{ BIT(7), "CPU" },
	{ BIT(8), "PERIOD" },
	{ BIT(9), "STREAM_ID" },
	{ BIT(10), "RAW" },
	{ BIT(11), "BRANCH_STACK" },
	{ BIT(12), "REGS_USER" },
	{ BIT(13), "STACK_USER" },
	{ BIT(14), "WEIGHT" },
	{ BIT(15), "DATA_SRC" },
	{ BIT(16), "IDENTIFIER" },
	{ BIT(17), "TRANSACTION" },
	{ BIT(18), "REGS_INTR" },
	{ BIT(19), "PHYS_ADDR" },
	{ BIT(20), "AUX" },
	{ BIT(21), "CGROUP" },
	{ BIT(22), "DATA_PAGE_SIZE" },
	{ BIT(23), "CODE_PAGE_SIZE" },
	{ BIT(24), "WEIGHT_STRUCT" },
	{ 0, NULL },
};

const struct dump_bit_name dump_read_format_names[] = {
	{ BIT(0), "TOTAL_TIME_ENABLED" },
	{ BIT(1), "TOTAL_TIME_RUNNING" },
	{ BIT(2), "ID" },
	{ BIT(3), "GROUP" },
	{ BIT(4), "LOST" },
	{ 0, NULL },
};

/* enum perf_branch_sample_type_shift */
const struct dump_bit_name dump_branch_sample_names[] = {
	{ BIT(0), "USER" },       { BIT(1), "KERNEL" },     { BIT(2), "HV" },
	{ BIT(3), "ANY" },        { BIT(4), "ANY_CALL" },   { BIT(5), "ANY_RETURN" },
	{ BIT(6), "IND_CALL" },   { BIT(7), "ABORT_TX" },   { BIT(8), "IN_TX" },
	{ BIT(9), "NO_TX" },      { BIT(10), "COND" },      { BIT(11), "CALL_STACK" },
	{ BIT(12), "IND_JUMP" },  { BIT(13), "CALL" },      { BIT(14), "NO_FLAGS" },
	{ BIT(15), "NO_CYCLES" }, { BIT(16), "TYPE_SAVE" }, { BIT(17), "HW_INDEX" },
	{ BIT(18), "PRIV_SAVE" }, { BIT(19), "COUNTERS" },  { 0, NULL },
};

const struct dump_bit_name dump_attr_flag_names[] = {
	{ BIT(PERF_ATTR_DISABLED), "disabled" },
	{ BIT(PERF_ATTR_INHERIT), "inherit" },
	{ BIT(PERF_ATTR_PINNED), "pinned" },
	{ BIT(PERF_ATTR_EXCLUSIVE), "exclusive" },
	{ BIT(PERF_ATTR_EXCLUDE_USER), "exclude_user" },
	{ BIT(PERF_ATTR_EXCLUDE_KERNEL), "exclude_kernel" },
	{ BIT(PERF_ATTR_EXCLUDE_HV), "exclude_hv" },
	{ BIT(PERF_ATTR_EXCLUDE_IDLE), "exclude_idle" },
	{ BIT(PERF_ATTR_MMAP), "mmap" },
	{ BIT(PERF_ATTR_COMM), "comm" },
	{ BIT(PERF_ATTR_FREQ), "freq" },
	{ BIT(PERF_ATTR_INHERIT_STAT), "inherit_stat" },
	{ BIT(PERF_ATTR_ENABLE_ON_EXEC), "enable_on_exec" },
	{ BIT(PERF_ATTR_TASK), "task" },
	{ BIT(PERF_ATTR_WATERMARK), "watermark" },
	{ BIT(PERF_ATTR_PRECISE_IP) * 3, "precise_ip=3" },
	{ BIT(PERF_ATTR_PRECISE_IP) * 2, "precise_ip=2" },
	{ BIT(PERF_ATTR_PRECISE_IP), "precise_ip=1" },
	{ BIT(PERF_ATTR_MMAP_DATA), "mmap_data" },
	{ BIT(PERF_ATTR_SAMPLE_ID_ALL), "sample_id_all" },
	{ BIT(PERF_ATTR_EXCLUDE_HOST), "exclude_host" },
	{ BIT(PERF_ATTR_EXCLUDE_GUEST), "exclude_guest" },
	{ BIT(PERF_ATTR_EXCLUDE_CALLCHAIN_KERNEL), "exclude_callchain_kernel" },
	{ BIT(PERF_ATTR_EXCLUDE_CALLCHAIN_USER), "exclude_callchain_user" },
	{ BIT(PERF_ATTR_MMAP2), "mmap2" },
	{ BIT(PERF_ATTR_COMM_EXEC), "comm_exec" },
	{ BIT(PERF_ATTR_USE_CLOCKID), "use_clockid" },
	{ BIT(PERF_ATTR_CONTEXT_SWITCH), "context_switch" },
	{ BIT(PERF_ATTR_WRITE_BACKWARD), "write_backward" },
	{ BIT(PERF_ATTR_NAMESPACES), "namespaces" },
	{ BIT(PERF_ATTR_KSYMBOL), "ksymbol" },
	{ BIT(PERF_ATTR_BPF_EVENT), "bpf_event" },
	{ BIT(PERF_ATTR_AUX_OUTPUT), "aux_output" },
	{ BIT(PERF_ATTR_CGROUP), "cgroup" },
	{ BIT(PERF_ATTR_TEXT_POKE), "text_poke" },
	{ BIT(PERF_ATTR_BUILD_ID), "build_id" },
	{ BIT(PERF_ATTR_INHERIT_THREAD), "inherit_thread" },
	{ BIT(PERF_ATTR_REMOVE_ON_EXEC), "remove_on_exec" },
	{ BIT(PERF_ATTR_SIGTRAP), "sigtrap" },
	{ BIT(PERF_ATTR_DEFER_CALLCHAIN), "defer_callchain" },
	{ BIT(PERF_ATTR_DEFER_OUTPUT), "defer_output" },
	{ 0, NULL },
};

static void unless_zero(struct dump_out *out, const char *key, uint64_t value)
{
	if (value)
		dump_unsigned(out, key, value);
}

static void hex_unless_zero(struct dump_out *out, const char *key, uint64_t value)
{
	if (value)
		dump_hex(out, key, value);
}

static void bits_unless_zero(struct dump_out *out, const char *key, uint64_t value,
			     const struct dump_bit_name *names)
{
	if (value)
		dump_bits(out, key, value, names);
}

static void dump_extensions(struct dump_out *out, const struct perf_attr *attr)
{
	hex_unless_zero(out, "config1", attr->config1);
	hex_unless_zero(out, "config2", attr->config2);
	hex_unless_zero(out, "config3", attr->config3);
	bits_unless_zero(out, "branch_sample_type", attr->branch_sample_type, dump_branch_sample_names);
	hex_unless_zero(out, "sample_regs_user", attr->sample_regs_user);
	unless_zero(out, "sample_stack_user", attr->sample_stack_user);
	if (perf_attr_has(attr, PERF_ATTR_USE_CLOCKID))
		dump_signed(out, "clockid", attr->clockid);
	hex_unless_zero(out, "sample_regs_intr", attr->sample_regs_intr);
	unless_zero(out, "aux_watermark", attr->aux_watermark);
	unless_zero(out, "sample_max_stack", attr->sample_max_stack);
	unless_zero(out, "aux_sample_size", attr->aux_sample_size);
	hex_unless_zero(out, "sig_data", attr->sig_data);
}

void dump_attr(struct dump_out *out, const struct perf_attr *attr)
{
	const bool freq = perf_attr_has(attr, PERF_ATTR_FREQ);

	if (attr->type < sizeof(type_names) / sizeof(type_names[0]))
		dump_word(out, "type", type_names[attr->type]);
	else
		dump_unsigned(out, "type", attr->type);
	dump_unsigned(out, "size", attr->size_bytes);
	dump_hex(out, "config", attr->config);
	dump_unsigned(out, freq ? "sample_freq" : "sample_period", attr->sample_period_or_freq);
	dump_bits(out, "sample_type", attr->sample_type, dump_sample_type_names);
	bits_unless_zero(out, "read_format", attr->read_format, dump_read_format_names);
	bits_unless_zero(out, "flags", attr->flags, dump_attr_flag_names);
	unless_zero(out, perf_attr_has(attr, PERF_ATTR_WATERMARK) ? "wakeup_watermark" : "wakeup_events",
		    attr->wakeup_events_or_watermark);
	unless_zero(out, "bp_type", attr->bp_type);
	dump_extensions(out, attr);
}
