/*
 * script_line_write() has the fields in perf's order; fields that are more than a number have a function each. The text of a
 * tracepoint is written later, into a hole (script_writer.h); for JSON, script_json.c does all of it.
 */
#include "report/script/script_sample.h"

#include <ctype.h>
#include <inttypes.h>
#include <linux/perf_event.h>

#include "base/xalloc.h"
#include "format/data_source.h"
#include "format/perf_abi.h"
#include "format/register_name.h"
#include "text/safe_text.h"

/* --- addresses ----------------------------------------------------------------- */

static void add_ip(struct script_writer *writer, const struct script_sample *sample)
{
	const struct perf_attr *attr = &sample->desc->attr;

	if (writer->style.callchains && attr->sample_type & PERF_SAMPLE_CALLCHAIN) {
		strbuf_addc(&writer->out, '\n');
		script_chain_add(writer, sample);
		return;
	}
	strbuf_addc(&writer->out, ' ');
	strbuf_add_hex(&writer->out, sample->sample->ip, 16);
	script_chain_add_place(writer, attr, &sample->leaf);
}

/* is_bts_event(), tools/perf/util/evsel.h: each branch is a sample, from ip to addr. */
static bool is_branch_trace(const struct perf_attr *attr)
{
	return attr->type == PERF_TYPE_HARDWARE && attr->config & PERF_COUNT_HW_BRANCH_INSTRUCTIONS &&
	       !perf_attr_has(attr, PERF_ATTR_FREQ) && attr->sample_period_or_freq == 1;
}

/* Does the address of a sample belong to code or mapped data, so that it has a name? */
static bool address_has_place(const struct perf_attr *attr)
{
	return is_branch_trace(attr) ||
	       (attr->type == PERF_TYPE_SOFTWARE &&
		(attr->config == PERF_COUNT_SW_PAGE_FAULTS || attr->config == PERF_COUNT_SW_PAGE_FAULTS_MIN ||
		 attr->config == PERF_COUNT_SW_PAGE_FAULTS_MAJ));
}

static void add_addr(struct script_writer *writer, const struct script_sample *sample)
{
	const struct sample *s = sample->sample;
	struct script_place place;

	strbuf_addf(&writer->out, "%16" PRIx64, s->addr);
	if (!address_has_place(&sample->desc->attr))
		return;
	script_places_find_anywhere(writer->places, &place, s->pid, sample->state_time_ns,
				    s->misc & RECORD_MISC_CPUMODE_MASK, s->addr);
	script_chain_add_place(writer, &sample->desc->attr, &place);
}

/* --- the other fields ---------------------------------------------------------- */

static void add_registers(struct script_writer *writer, const struct sample *sample, uint64_t abi,
			  uint64_t mask, const uint8_t *words)
{
	const char *arch = perf_file_features(writer->file)->arch;
	size_t word = 0;

	if (!abi || !words)
		return;
	strbuf_addf(&writer->out, " ABI:%" PRIu64 " ", abi);
	for (unsigned int reg = 0; reg < 64; reg++) {
		const char *name = register_name(arch, reg);

		if (mask >> reg & 1)
			strbuf_addf(&writer->out, "%5s:0x%" PRIx64 " ", name ? name : "unknown",
				    sample_word(sample, words, word++));
	}
}

/* Another process makes the text, for many samples at a time: only notes where it belongs. */
static void add_trace(struct script_writer *writer, const struct script_sample *sample)
{
	const struct sample *s = sample->sample;

	if (!s->raw)
		return;
	if (!writer->tracepoints) {
		strbuf_addf(&writer->out, "[%s]", writer->no_tracepoints);
		return;
	}
	if (tracepoint_formats_is_full(writer->tracepoints))
		script_fill_holes(writer);
	tracepoint_formats_ask(writer->tracepoints, sample->desc->attr.config, s->cpu, s->raw, s->raw_size);
	ARRAY_ADD(writer->holes, writer->hole_count, writer->hole_capacity)->offset = writer->out.size;
}

static void add_data_src(struct script_writer *writer, uint64_t data_src)
{
	const size_t start = writer->out.size;
	int width;

	strbuf_addf(&writer->out, "%16" PRIx64 " ", data_src);
	data_source_add(&writer->out, data_src);
	width = (int)(writer->out.size - start);
	if (width > writer->data_src_width)
		writer->data_src_width = width;
	strbuf_addf(&writer->out, "%*s", writer->data_src_width - width, "");
}

static void add_page_size(struct strbuf *out, uint64_t size_bytes)
{
	strbuf_addc(out, ' ');
	data_source_add_page_size(out, size_bytes);
}

static void add_bpf_line(struct strbuf *out, const uint8_t *bytes, size_t size, size_t offset)
{
	strbuf_addf(out, "%17s %04zx:", offset ? "" : "BPF output:", offset);
	for (size_t i = 0; i < 8; i++) {
		if (i < size)
			strbuf_addf(out, " %02x", bytes[i]);
		else
			strbuf_adds(out, "   ");
	}
	strbuf_adds(out, "  ");
	for (size_t i = 0; i < 8; i++)
		strbuf_addc(out, i >= size ? ' ' : isprint(bytes[i]) ? (char)bytes[i] : '.');
	strbuf_addc(out, '\n');
}

/* Writes eight bytes a line, then the whole as text if it is printable and ends with NULs. */
static void add_bpf_output(struct strbuf *out, const uint8_t *raw, size_t size)
{
	size_t length = 0, rest;

	strbuf_addc(out, '\n');
	for (size_t i = 0; i < size; i += 8)
		add_bpf_line(out, raw + i, size - i < 8 ? size - i : 8, i);
	while (length < size && isprint(raw[length]))
		length++;
	for (rest = length; rest < size && raw[rest] == 0; rest++)
		;
	if (length < size && rest == size)
		strbuf_addf(out, "%17s \"%s\"\n", "BPF string:", (const char *)raw);
}

static bool is_bpf_output(const struct perf_attr *attr)
{
	enum { BPF_OUTPUT = 10 }; /* PERF_COUNT_SW_BPF_OUTPUT */

	return attr->type == PERF_TYPE_SOFTWARE && attr->config == BPF_OUTPUT;
}

/* Writes the fields before the instruction's address. */
static void add_memory_fields(struct script_writer *writer, const struct script_sample *sample)
{
	const struct perf_attr *attr = &sample->desc->attr;
	const struct sample *s = sample->sample;

	if (script_writer_has(writer, attr, SCRIPT_ADDR))
		add_addr(writer, sample);
	if (script_writer_has(writer, attr, SCRIPT_DATA_SRC))
		add_data_src(writer, s->data_src);
	if (script_writer_has(writer, attr, SCRIPT_WEIGHT))
		strbuf_addf(&writer->out, "%16" PRIu64, s->weight);
	if (script_writer_has(writer, attr, SCRIPT_INS_LAT))
		strbuf_addf(&writer->out, "%16u", s->weight_var2);
}

/* Writes the fields after the instruction's address. */
static void add_details(struct script_writer *writer, const struct script_sample *sample)
{
	const struct perf_attr *attr = &sample->desc->attr;
	const struct sample *s = sample->sample;

	if (script_writer_has(writer, attr, SCRIPT_IREGS))
		add_registers(writer, s, s->intr_regs_abi, s->intr_regs_mask, s->intr_regs);
	if (script_writer_has(writer, attr, SCRIPT_UREGS))
		add_registers(writer, s, s->user_regs_abi, s->user_regs_mask, s->user_regs);
	if (script_writer_has(writer, attr, SCRIPT_BRSTACK))
		script_branches_add(writer, sample, BRANCH_ADDRESS);
	else if (script_writer_has(writer, attr, SCRIPT_BRSTACKSYM))
		script_branches_add(writer, sample, BRANCH_SYMBOL);
	else if (script_writer_has(writer, attr, SCRIPT_BRSTACKOFF))
		script_branches_add(writer, sample, BRANCH_OFFSET);
	if (script_writer_has(writer, attr, SCRIPT_BPF_OUTPUT) && is_bpf_output(attr) &&
	    (writer->style.fields.types[script_type_of(attr)].set_by_user ||
	     !script_wait_add(writer, sample)))
		add_bpf_output(&writer->out, s->raw, s->raw_size);
	script_code_add(writer, sample);
	if (script_writer_has(writer, attr, SCRIPT_PHYS_ADDR))
		strbuf_addf(&writer->out, "%16" PRIx64, s->phys_addr);
	if (script_writer_has(writer, attr, SCRIPT_DATA_PAGE_SIZE))
		add_page_size(&writer->out, s->data_page_size);
	if (script_writer_has(writer, attr, SCRIPT_CODE_PAGE_SIZE))
		add_page_size(&writer->out, s->code_page_size);
}

/* A branch trace shows the source and the target of a branch. */
static void add_branch_trace(struct script_writer *writer, const struct script_sample *sample)
{
	const struct perf_attr *attr = &sample->desc->attr;
	const struct script_type_fields *type = &writer->style.fields.types[script_type_of(attr)];

	if (script_writer_has(writer, attr, SCRIPT_IP))
		add_ip(writer, sample);
	if (script_writer_has(writer, attr, SCRIPT_ADDR) ||
	    (attr->sample_type & PERF_SAMPLE_ADDR && !type->set_by_user)) {
		strbuf_adds(&writer->out, " => ");
		add_addr(writer, sample);
	}
	script_code_add(writer, sample);
	strbuf_addc(&writer->out, '\n');
}

/* --- a sample's line ------------------------------------------------------------- */

void script_line_write(struct script_writer *writer, const struct script_sample *sample)
{
	const struct perf_attr *attr = &sample->desc->attr;
	const struct sample *s = sample->sample;

	if (writer->json) {
		script_json_add_sample(writer, sample);
		return;
	}
	if (writer->style.fields.types[script_type_of(attr)].fields == 0)
		return;
	if (script_writer_has(writer, attr, SCRIPT_BRCNTR) && !writer->style.counts_in_full &&
	    writer->counted.count) /* before each sample, as in perf */
		counted_events_add_heading(&writer->counted, writer->file, &writer->out);
	script_start_write(writer, attr,
			   &(struct script_start){ .comm = sample->comm,
						   .pid = s->pid,
						   .tid = s->tid,
						   .cpu = s->cpu,
						   .time_ns = s->time_ns,
						   .record_type = PERF_RECORD_SAMPLE,
						   .misc = s->misc });
	if (script_writer_has(writer, attr, SCRIPT_PERIOD)) {
		strbuf_add_decimal(&writer->out, sample->period, 10);
		strbuf_addc(&writer->out, ' ');
	}
	if (script_writer_has(writer, attr, SCRIPT_EVENT)) {
		const size_t start = writer->out.size;

		strbuf_add_right(&writer->out, script_event_name(writer, sample->event),
				 (unsigned int)writer->style.name_width);
		safe_text_clean(&writer->out, start);
		strbuf_adds(&writer->out, ": ");
	}
	if (writer->style.fields.flags) /* perf fills it when it decodes a trace: blank here */
		strbuf_addf(&writer->out, "  %-21s ", "");
	if (is_branch_trace(attr)) {
		add_branch_trace(writer, sample);
		return;
	}
	if (script_writer_has(writer, attr, SCRIPT_TRACE))
		add_trace(writer, sample);
	add_memory_fields(writer, sample);
	if (script_writer_has(writer, attr, SCRIPT_IP))
		add_ip(writer, sample);
	add_details(writer, sample);
	strbuf_addc(&writer->out, '\n');
}
