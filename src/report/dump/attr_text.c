/*
 * One function that writes the members, after one for each kind of member. The order and the names are perf's:
 * perf_event_attr__fprintf(), tools/perf/util/perf_event_attr_fprintf.c.
 */

#include <inttypes.h>
#include <linux/perf_event.h>
#include <string.h>

#include "report/dump/dump_attr.h"

struct attr_text {
	struct strbuf *out;
	const char *equals;
};

static void add_number(const struct attr_text *text, const char *name, uint64_t value)
{
	if (value)
		strbuf_addf(text->out, ", %s%s%" PRIu64, name, text->equals, value);
}

static void add_hex(const struct attr_text *text, const char *name, uint64_t value)
{
	if (value)
		strbuf_addf(text->out, ", %s%s%#" PRIx64, name, text->equals, value);
}

/* Adds NAME|NAME; the first one begins at `start`. */
static void add_names(const struct attr_text *text, size_t start, uint64_t value,
		      const struct dump_bit_name *names)
{
	for (; names->name; names++)
		if (value & names->bits)
			strbuf_addf(text->out, "%s%s", text->out->size == start ? "" : "|", names->name);
}

static void add_bits(const struct attr_text *text, const char *name, uint64_t value,
		     const struct dump_bit_name *names)
{
	if (!value)
		return;
	strbuf_addf(text->out, ", %s%s", name, text->equals);
	add_names(text, text->out->size, value, names);
}

/* perf's order: members after the stack in a sample come in the order in which perf got their names, IDENTIFIER first. */
static void add_sample_type(const struct attr_text *text, uint64_t sample_type)
{
	static const uint64_t parts[] = {
		PERF_SAMPLE_IDENTIFIER - 1 -
			(PERF_SAMPLE_WEIGHT | PERF_SAMPLE_DATA_SRC), /* up to STACK_USER */
		PERF_SAMPLE_IDENTIFIER,
		PERF_SAMPLE_REGS_INTR,
		PERF_SAMPLE_DATA_SRC,
		PERF_SAMPLE_WEIGHT,
	};
	uint64_t left = sample_type;
	size_t start;

	if (!sample_type)
		return;
	strbuf_addf(text->out, ", sample_type%s", text->equals);
	start = text->out->size;
	for (size_t i = 0; i < sizeof(parts) / sizeof(parts[0]); i++) {
		add_names(text, start, sample_type & parts[i], dump_sample_type_names);
		left &= ~parts[i];
	}
	add_names(text, start, left, dump_sample_type_names);
}

/* Each flag is a member of its own; precise_ip has two bits, and is written as "precise_ip=2". */
static void add_flags(const struct attr_text *text, uint64_t flags)
{
	for (const struct dump_bit_name *flag = dump_attr_flag_names; flag->name; flag++) {
		const size_t length = strcspn(flag->name, "=");

		if ((flags & flag->bits) != flag->bits)
			continue;
		strbuf_addf(text->out, ", %.*s%s%s", (int)length, flag->name, text->equals,
			    flag->name[length] ? flag->name + length + 1 : "1");
		flags &= ~flag->bits;
	}
}

void attr_text_add(struct strbuf *out, const struct perf_attr *attr, const char *equals)
{
	const struct attr_text text = { out, equals };

	add_number(&text, "type", attr->type);
	add_number(&text, "size", attr->size_bytes);
	add_hex(&text, "config", attr->config);
	add_number(&text, "{ sample_period, sample_freq }", attr->sample_period_or_freq);
	add_sample_type(&text, attr->sample_type);
	add_bits(&text, "read_format", attr->read_format, dump_read_format_names);
	add_flags(&text, attr->flags);
	add_number(&text, "{ wakeup_events, wakeup_watermark }", attr->wakeup_events_or_watermark);
	add_number(&text, "bp_type", attr->bp_type);
	add_hex(&text, "{ bp_addr, config1 }", attr->config1);
	add_hex(&text, "{ bp_len, config2 }", attr->config2);
	add_bits(&text, "branch_sample_type", attr->branch_sample_type, dump_branch_sample_names);
	add_hex(&text, "sample_regs_user", attr->sample_regs_user);
	add_number(&text, "sample_stack_user", attr->sample_stack_user);
	if (attr->clockid)
		strbuf_addf(out, ", clockid%s%d", equals, attr->clockid);
	add_hex(&text, "sample_regs_intr", attr->sample_regs_intr);
	add_number(&text, "aux_watermark", attr->aux_watermark);
	add_number(&text, "sample_max_stack", attr->sample_max_stack);
	add_number(&text, "aux_sample_size", attr->aux_sample_size);
	add_number(&text, "sig_data", attr->sig_data);
}
