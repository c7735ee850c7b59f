/* Tables of the bits' names, then a function that prints the members. Their order is perf's, not the struct's. */
#include "report/dump/attr_text.h"

/* perf_event_attr__fprintf(), tools/perf/util/perf_event_attr_fprintf.c: the order and the names are perf's. */

#include <inttypes.h>

#define BIT(n) ((uint64_t)1 << (n))

struct bit_name {
	unsigned int bit;
	const char *name;
};

static const struct bit_name sample_types[] = {
	{ 0, "IP" },
	{ 1, "TID" },
	{ 2, "TIME" },
	{ 3, "ADDR" },
	{ 4, "READ" },
	{ 5, "CALLCHAIN" },
	{ 6, "ID" },
	{ 7, "CPU" },
	{ 8, "PERIOD" },
	{ 9, "STREAM_ID" },
	{ 10, "RAW" },
	{ 11, "BRANCH_STACK" },
	{ 12, "REGS_USER" },
	{ 13, "STACK_USER" },
	{ 16, "IDENTIFIER" },
	{ 18, "REGS_INTR" },
	{ 15, "DATA_SRC" },
	{ 14, "WEIGHT" },
	{ 19, "PHYS_ADDR" },
	{ 20, "AUX" },
	{ 21, "CGROUP" },
	{ 22, "DATA_PAGE_SIZE" },
	{ 23, "CODE_PAGE_SIZE" },
	{ 24, "WEIGHT_STRUCT" },
	{ 0, NULL },
};

static const struct bit_name read_formats[] = {
	{ 0, "TOTAL_TIME_ENABLED" },
	{ 1, "TOTAL_TIME_RUNNING" },
	{ 2, "ID" },
	{ 3, "GROUP" },
	{ 4, "LOST" },
	{ 0, NULL },
};

static const struct bit_name branch_types[] = {
	{ 0, "USER" },       { 1, "KERNEL" },     { 2, "HV" },         { 3, "ANY" },
	{ 4, "ANY_CALL" },   { 5, "ANY_RETURN" }, { 6, "IND_CALL" },   { 7, "ABORT_TX" },
	{ 8, "IN_TX" },      { 9, "NO_TX" },      { 10, "COND" },      { 11, "CALL_STACK" },
	{ 12, "IND_JUMP" },  { 13, "CALL" },      { 14, "NO_FLAGS" },  { 15, "NO_CYCLES" },
	{ 16, "TYPE_SAVE" }, { 17, "HW_INDEX" },  { 18, "PRIV_SAVE" }, { 0, NULL },
};

/* Bits of the field behind read_format, but for precise_ip, which has two. */
static const struct bit_name flags_before_precise[] = {
	{ 0, "disabled" },
	{ 1, "inherit" },
	{ 2, "pinned" },
	{ 3, "exclusive" },
	{ 4, "exclude_user" },
	{ 5, "exclude_kernel" },
	{ 6, "exclude_hv" },
	{ 7, "exclude_idle" },
	{ 8, "mmap" },
	{ 9, "comm" },
	{ 10, "freq" },
	{ 11, "inherit_stat" },
	{ 12, "enable_on_exec" },
	{ 13, "task" },
	{ 14, "watermark" },
	{ 0, NULL },
};

static const struct bit_name flags_behind_precise[] = {
	{ 17, "mmap_data" },
	{ 18, "sample_id_all" },
	{ 19, "exclude_host" },
	{ 20, "exclude_guest" },
	{ 21, "exclude_callchain_kernel" },
	{ 22, "exclude_callchain_user" },
	{ 23, "mmap2" },
	{ 24, "comm_exec" },
	{ 25, "use_clockid" },
	{ 26, "context_switch" },
	{ 27, "write_backward" },
	{ 28, "namespaces" },
	{ 29, "ksymbol" },
	{ 30, "bpf_event" },
	{ 31, "aux_output" },
	{ 32, "cgroup" },
	{ 33, "text_poke" },
	{ 34, "build_id" },
	{ 35, "inherit_thread" },
	{ 36, "remove_on_exec" },
	{ 37, "sigtrap" },
	{ 38, "defer_callchain" },
	{ 39, "defer_output" },
	{ 0, NULL },
};

static void add_number(struct strbuf *out, const char *name, uint64_t value)
{
	if (value)
		strbuf_addf(out, ", %s = %" PRIu64, name, value);
}

static void add_hex(struct strbuf *out, const char *name, uint64_t value)
{
	if (value)
		strbuf_addf(out, ", %s = %#" PRIx64, name, value);
}

static void add_bits(struct strbuf *out, const char *name, uint64_t value, const struct bit_name *bits)
{
	bool first = true;

	if (!value)
		return;
	strbuf_addf(out, ", %s = ", name);
	for (; bits->name; bits++)
		if (value & BIT(bits->bit)) {
			strbuf_addf(out, "%s%s", first ? "" : "|", bits->name);
			first = false;
		}
}

static void add_flags(struct strbuf *out, uint64_t flags, const struct bit_name *bits)
{
	for (; bits->name; bits++)
		add_number(out, bits->name, flags >> bits->bit & 1);
}

void attr_text_add(struct strbuf *out, const struct perf_attr *attr)
{
	add_number(out, "type", attr->type);
	add_number(out, "size", attr->size_bytes);
	add_hex(out, "config", attr->config);
	add_number(out, "{ sample_period, sample_freq }", attr->sample_period_or_freq);
	add_bits(out, "sample_type", attr->sample_type, sample_types);
	add_bits(out, "read_format", attr->read_format, read_formats);
	add_flags(out, attr->flags, flags_before_precise);
	add_number(out, "precise_ip", attr->flags >> PERF_ATTR_PRECISE_IP & 3);
	add_flags(out, attr->flags, flags_behind_precise);
	add_number(out, "{ wakeup_events, wakeup_watermark }", attr->wakeup_events_or_watermark);
	add_number(out, "bp_type", attr->bp_type);
	add_hex(out, "{ bp_addr, config1 }", attr->config1);
	add_hex(out, "{ bp_len, config2 }", attr->config2);
	add_bits(out, "branch_sample_type", attr->branch_sample_type, branch_types);
	add_hex(out, "sample_regs_user", attr->sample_regs_user);
	add_number(out, "sample_stack_user", attr->sample_stack_user);
	if (attr->clockid)
		strbuf_addf(out, ", clockid = %d", attr->clockid);
	add_hex(out, "sample_regs_intr", attr->sample_regs_intr);
	add_number(out, "aux_watermark", attr->aux_watermark);
	add_number(out, "sample_max_stack", attr->sample_max_stack);
	add_number(out, "aux_sample_size", attr->aux_sample_size);
	add_number(out, "sig_data", attr->sig_data);
}
