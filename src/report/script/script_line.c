/*
 * script_line_write() has the fields in perf's order; fields that are more than a number have a function each. The text of a
 * tracepoint is written later, into a hole (script_writer.h); for JSON, script_json.c does all of it.
 */
#include "report/script/script_sample.h"

#include <ctype.h>
#include <inttypes.h>
#include <linux/perf_event.h>
#include <stdbool.h>

#include "base/xalloc.h"
#include "format/branch_entry.h"
#include "format/callchain.h"
#include "format/data_source.h"
#include "format/off_cpu_wait.h"
#include "format/perf_abi.h"
#include "format/register_name.h"
#include "report/waits/sample_wait.h"
#include "text/branch_type_text.h"
#include "text/safe_text.h"

/* --- time off the CPU -------------------------------------------------------------------------------------- */

static void add_duration(struct strbuf *out, uint64_t duration_ns)
{
	strbuf_addf(out, "%" PRIu64 ".%03u ms", duration_ns / 1000000,
		    (unsigned int)(duration_ns / 1000 % 1000));
}

/* "sleeping (futex) 17.054 ms, then 0.030 ms for a CPU". */
static void add_times(struct strbuf *out, const struct off_cpu_wait *wait)
{
	strbuf_adds(out, off_cpu_state_name(wait->state));
	if (wait->kind != OFF_CPU_KIND_NONE)
		strbuf_addf(out, " (%s)", off_cpu_kind_name(wait->kind));
	strbuf_addc(out, ' ');
	if (wait->blocked_ns || !wait->waiting_ns)
		add_duration(out, wait->blocked_ns);
	if (wait->blocked_ns && wait->waiting_ns)
		strbuf_adds(out, ", then ");
	if (wait->waiting_ns) {
		add_duration(out, wait->waiting_ns);
		strbuf_adds(out, " for a CPU");
	}
	if (wait->flags & OFF_CPU_UNFINISHED)
		strbuf_adds(out, ", unfinished");
}

static void add_waker(struct strbuf *out, const struct off_cpu_waking *waker)
{
	strbuf_addf(out, "woken by %s", off_cpu_waker_name(waker->kind));
	if (waker->kind == OFF_CPU_WAKER_THREAD) {
		strbuf_addf(out, " %" PRIu32 " ", waker->tid);
		safe_text_add(out, waker->comm);
	}
}

static void add_frame(struct script_writer *writer, const struct script_sample *sample, uint32_t pid,
		      uint16_t cpumode, uint64_t address)
{
	struct script_place place;

	if (cpumode == PERF_RECORD_MISC_USER)
		script_places_find_left(writer->places, &place, pid, sample->state_time_ns, address);
	else
		script_places_find(writer->places, &place, pid, sample->state_time_ns, cpumode, address);
	strbuf_adds(&writer->out, "#\t");
	strbuf_add_hex(&writer->out, place.shown, 16);
	script_chain_add_place(writer, &sample->desc->attr, &place);
	strbuf_addc(&writer->out, '\n');
}

static void add_chain(struct script_writer *writer, const struct script_sample *sample,
		      const struct off_cpu_wait *wait, const struct off_cpu_waking *waker)
{
	uint16_t cpumode = PERF_RECORD_MISC_KERNEL;

	for (size_t i = 0; i < waker->chain_count; i++) {
		const uint64_t word = off_cpu_wait_chain_word(wait, waker, i);

		if (!callchain_is_marker(word))
			add_frame(writer, sample, waker->pid, cpumode, word);
		else
			cpumode = word == (uint64_t)PERF_CONTEXT_USER ? PERF_RECORD_MISC_USER :
									PERF_RECORD_MISC_KERNEL;
	}
	if (waker->is_cut)
		strbuf_adds(&writer->out, "#\t[its callers are not known]\n");
}

/*
 * Adds a line that says what the thread waited for and who woke it, then a line for each frame of the waker. perf prints the
 * bytes in hexadecimal instead; -F bpf-output does so here. The lines begin with "#", which readers of perf script's text skip.
 * Adds nothing and returns false for samples of other events and for damaged raw data.
 */
static bool add_wait(struct script_writer *writer, const struct script_sample *sample)
{
	struct off_cpu_wait wait;

	if (!sample_wait_read(&wait, script_event_name(writer, sample->event), sample->sample))
		return false;
	strbuf_adds(&writer->out, "# [wait] ");
	add_times(&writer->out, &wait);
	if (wait.wakers[0].kind != OFF_CPU_WAKER_NONE) {
		strbuf_adds(&writer->out, "; ");
		add_waker(&writer->out, &wait.wakers[0]);
	}
	strbuf_addc(&writer->out, '\n');
	add_chain(writer, sample, &wait, &wait.wakers[0]);
	for (size_t i = 1; i <= wait.further_count; i++) {
		strbuf_adds(&writer->out, "# which was ");
		add_waker(&writer->out, &wait.wakers[i]);
		strbuf_addc(&writer->out, '\n');
		add_chain(writer, sample, &wait, &wait.wakers[i]);
	}
	return true;
}

/* --- branches ----------------------------------------------------------------------------------------------- */

enum branch_form { BRANCH_ADDRESS, BRANCH_SYMBOL, BRANCH_OFFSET };

static const char *type_text(const struct branch_entry *branch)
{
	return branch->type == BRANCH_TYPE_EXTENDED ? branch_new_type_text(branch->new_type) :
						      branch_type_text(branch->type);
}

static void add_branch_flags(struct strbuf *out, const struct branch_entry *branch)
{
	strbuf_addf(out, "/%c/%c/%c/%u/%s%s%s ",
		    branch->predicted    ? 'P' :
		    branch->mispredicted ? 'M' :
					   '-',
		    branch->in_transaction ? 'X' : '-', branch->transaction_abort ? 'A' : '-', branch->cycles,
		    type_text(branch), branch->speculation ? "/" : "",
		    branch_speculation_text(branch->speculation));
}

static void add_branch_end(struct script_writer *writer, const struct script_sample *sample,
			   enum branch_form form, uint64_t address)
{
	const struct sample *s = sample->sample;
	const bool with_dso = script_writer_has(writer, &sample->desc->attr, SCRIPT_DSO);
	struct script_place place;

	if (with_dso || form != BRANCH_ADDRESS)
		script_places_find_anywhere(writer->places, &place, s->pid, sample->state_time_ns,
					    s->misc & RECORD_MISC_CPUMODE_MASK, address);
	if (form == BRANCH_SYMBOL)
		script_place_add_symbol(&writer->out, &place, true);
	else
		strbuf_addf(&writer->out, "0x%" PRIx64, form == BRANCH_OFFSET ? place.offset : address);
	if (with_dso)
		script_place_add_dso(&writer->out, &place);
}

/*
 * Both ends of a branch are written alike, then its flags, in the layout of perf script 6.1. If the CPU recorded how it
 * speculated on a branch, that follows the type, as in later versions of perf (which write "/-" otherwise).
 */
static void add_branches(struct script_writer *writer, const struct script_sample *sample,
			 enum branch_form form)
{
	for (size_t i = 0; i < sample->sample->branch_count; i++) {
		const struct branch_entry branch = sample_branch(sample->sample, i);

		if (form != BRANCH_SYMBOL)
			strbuf_addc(&writer->out, ' ');
		add_branch_end(writer, sample, form, branch.from);
		strbuf_addc(&writer->out, '/');
		add_branch_end(writer, sample, form, branch.to);
		add_branch_flags(&writer->out, &branch);
	}
}

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
		add_branches(writer, sample, BRANCH_ADDRESS);
	else if (script_writer_has(writer, attr, SCRIPT_BRSTACKSYM))
		add_branches(writer, sample, BRANCH_SYMBOL);
	else if (script_writer_has(writer, attr, SCRIPT_BRSTACKOFF))
		add_branches(writer, sample, BRANCH_OFFSET);
	if (script_writer_has(writer, attr, SCRIPT_BPF_OUTPUT) && is_bpf_output(attr) &&
	    (writer->style.fields.types[script_type_of(attr)].set_by_user || !add_wait(writer, sample)))
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
