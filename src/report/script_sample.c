#include "report/script_sample.h"

#include <ctype.h>
#include <inttypes.h>
#include <linux/perf_event.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/xalloc.h"
#include "format/branch_entry.h"
#include "format/perf_abi.h"
#include "format/register_name.h"
#include "report/script_code.h"
#include "report/script_data_src.h"

/* enum perf_callchain_context: from here on words of a chain are markers */
#define CONTEXT_FIRST ((uint64_t)-4095)
#define CONTEXT_USER_DEFERRED ((uint64_t)-640) /* Linux 6.19; the next word is a cookie */

enum { NS_PER_US = 1000, NS_PER_S = 1000000000 };

static bool has(const struct script_writer *writer, const struct perf_attr *attr, enum script_field field)
{
	return script_has(&writer->style.fields, attr, field);
}

/* --- what every line begins with ---------------------------------------------- */

static void add_comm(struct script_writer *writer, const struct perf_attr *attr, const char *comm)
{
	const bool chain_below = has(writer, attr, SCRIPT_IP) && writer->style.callchains &&
				 attr->sample_type & PERF_SAMPLE_CALLCHAIN;

	strbuf_add_right(&writer->out, comm, chain_below ? 0 : 16);
	strbuf_addc(&writer->out, ' ');
}

/* perf prints ids and CPUs as signed: of idle tasks, and where nobody knows, -1. */
static void add_id(struct strbuf *out, uint32_t id, unsigned int width)
{
	if (id > INT32_MAX)
		strbuf_addf(out, "%*" PRId32, (int)width, (int32_t)id);
	else
		strbuf_add_decimal(out, id, width);
}

static void add_ids(struct script_writer *writer, const struct perf_attr *attr, uint32_t pid, uint32_t tid)
{
	const bool with_pid = has(writer, attr, SCRIPT_PID), with_tid = has(writer, attr, SCRIPT_TID);

	if (with_pid && with_tid) {
		strbuf_addf(&writer->out, "%5" PRId32 "/%-5" PRId32 " ", (int32_t)pid, (int32_t)tid);
	} else if (with_pid || with_tid) {
		add_id(&writer->out, with_pid ? pid : tid, 5);
		strbuf_addc(&writer->out, ' ');
	}
}

static void add_cpu(struct strbuf *out, uint32_t cpu)
{
	if (cpu > INT32_MAX) {
		strbuf_addf(out, "[%03" PRId32 "] ", (int32_t)cpu);
		return;
	}
	strbuf_addc(out, '[');
	strbuf_add_decimal_zeros(out, cpu, 3);
	strbuf_adds(out, "] ");
}

/* perf tests the mode's bits one by one, so that the hypervisor's 3 is kernel and user, too. */
static void add_misc(struct script_writer *writer, uint32_t record_type, uint16_t misc)
{
	static const struct {
		uint16_t bits;
		char letter;
	} modes[] = { { PERF_RECORD_MISC_KERNEL, 'K' },
		      { PERF_RECORD_MISC_USER, 'U' },
		      { PERF_RECORD_MISC_HYPERVISOR, 'H' },
		      { PERF_RECORD_MISC_GUEST_KERNEL, 'G' },
		      { PERF_RECORD_MISC_GUEST_USER, 'g' } };
	const size_t start = writer->out.size;

	for (size_t i = 0; i < sizeof(modes) / sizeof(modes[0]); i++)
		if ((misc & modes[i].bits) == modes[i].bits)
			strbuf_addc(&writer->out, modes[i].letter);
	if ((record_type == PERF_RECORD_MMAP || record_type == PERF_RECORD_MMAP2) &&
	    misc & RECORD_MISC_MMAP_DATA)
		strbuf_addc(&writer->out, 'M');
	if (record_type == PERF_RECORD_COMM && misc & RECORD_MISC_COMM_EXEC)
		strbuf_addc(&writer->out, 'E');
	if ((record_type == PERF_RECORD_SWITCH || record_type == PERF_RECORD_SWITCH_CPU_WIDE) &&
	    misc & PERF_RECORD_MISC_SWITCH_OUT)
		strbuf_adds(&writer->out, misc & PERF_RECORD_MISC_SWITCH_OUT_PREEMPT ? "Sp" : "S");
	strbuf_addf(&writer->out, "%*s", 6 - (int)(writer->out.size - start), " ");
}

/* The wall clock at a moment of the recording's clock. */
static void add_time_of_day(struct script_writer *writer, uint64_t time_ns)
{
	const struct perf_features *features = perf_file_features(writer->file);
	const uint64_t wall_ns = features->clock_wall_ns + (time_ns - features->clock_clockid_ns);
	const time_t seconds = (time_t)(wall_ns / NS_PER_S);
	struct tm local;
	char date[64];

	if (features->clock_id < 0) { /* possible in a pipe only, where nobody could know before */
		strbuf_adds(&writer->out, "disabled ");
		return;
	}
	if (!localtime_r(&seconds, &local) || !strftime(date, sizeof(date), "%F %H:%M:%S", &local)) {
		strbuf_adds(&writer->out, "failed ");
		return;
	}
	if (writer->style.nanoseconds)
		strbuf_addf(&writer->out, "%s.%09" PRIu64 " ", date, wall_ns % NS_PER_S);
	else
		strbuf_addf(&writer->out, "%s.%06" PRIu64 " ", date, wall_ns % NS_PER_S / NS_PER_US);
}

static uint64_t shown_time(struct script_writer *writer, uint64_t time_ns)
{
	uint64_t before_ns = writer->time_before_ns;

	if (!writer->first_time_ns)
		writer->first_time_ns = time_ns;
	writer->time_before_ns = time_ns;
	if (writer->style.relative_time)
		return time_ns - writer->first_time_ns;
	if (writer->style.delta_time)
		return before_ns ? time_ns - before_ns : 0;
	return time_ns;
}

static void add_time(struct script_writer *writer, uint64_t time_ns)
{
	const uint64_t shown_ns = shown_time(writer, time_ns);
	const uint64_t fraction_ns = shown_ns % NS_PER_S;
	struct strbuf *out = &writer->out;

	/* "%5lu.%09lu: " and "%12s: " of seconds and microseconds: 5 digits are what is left of the 12. */
	strbuf_add_decimal(out, shown_ns / NS_PER_S, 5);
	strbuf_addc(out, '.');
	if (writer->style.nanoseconds)
		strbuf_add_decimal_zeros(out, fraction_ns, 9);
	else
		strbuf_add_decimal_zeros(out, fraction_ns / NS_PER_US, 6);
	strbuf_adds(out, ": ");
}

void script_start_write(struct script_writer *writer, const struct perf_attr *attr,
			const struct script_start *start)
{
	if (has(writer, attr, SCRIPT_COMM))
		add_comm(writer, attr, start->comm);
	add_ids(writer, attr, start->pid, start->tid);
	if (has(writer, attr, SCRIPT_CPU))
		add_cpu(&writer->out, start->cpu);
	if (has(writer, attr, SCRIPT_MISC))
		add_misc(writer, start->record_type, start->misc);
	if (has(writer, attr, SCRIPT_TOD))
		add_time_of_day(writer, start->time_ns);
	if (has(writer, attr, SCRIPT_TIME))
		add_time(writer, start->time_ns);
}

/* --- addresses ----------------------------------------------------------------- */

static void add_symbol(struct script_writer *writer, const struct perf_attr *attr,
		       const struct script_place *place)
{
	if (!has(writer, attr, SCRIPT_SYM))
		return;
	strbuf_addc(&writer->out, ' ');
	script_place_add_symbol(&writer->out, place, has(writer, attr, SCRIPT_SYMOFF));
}

static void add_dso(struct script_writer *writer, const struct perf_attr *attr,
		    const struct script_place *place)
{
	if (!has(writer, attr, SCRIPT_DSO))
		return;
	strbuf_addc(&writer->out, ' ');
	script_place_add_dso(&writer->out, place);
}

/* On a line of its own. "" stands for a file that nobody knows: then perf names the DSO and the address. */
static void add_source_line(struct script_writer *writer, const struct script_place *place, const char *file,
			    uint32_t line)
{
	const char *slash = file ? strrchr(file, '/') : NULL;

	if (file)
		strbuf_addf(&writer->out, "\n  %s:%" PRIu32,
			    slash && !writer->style.full_source_path ? slash + 1 : file, line);
	else if (place->dso)
		strbuf_addf(&writer->out, "\n  %s[%" PRIx64 "]", place->dso->name, place->shown);
}

/* Frames at a place, innermost first; `is_return`: what lies there is returned to from the instruction before. */
static size_t find_source(const struct script_place *place, bool is_return,
			  const struct source_frame **frames)
{
	return place->table ? symbol_table_find_source(place->table, place->address - is_return, frames) : 0;
}

/* A place without its address. */
static void add_place(struct script_writer *writer, const struct perf_attr *attr,
		      const struct script_place *place)
{
	const struct source_frame *frames;
	size_t count;

	add_symbol(writer, attr, place);
	add_dso(writer, attr, place);
	if (!has(writer, attr, SCRIPT_SRCLINE))
		return;
	count = find_source(place, false, &frames);
	add_source_line(writer, place, count ? frames[0].file : NULL, count ? frames[0].line : 0);
}

/* As perf: the address and offset are those of the function that it is inlined into, "(inlined)" stands for the DSO. */
static void add_inlined(struct script_writer *writer, const struct perf_attr *attr,
			const struct script_place *place, const struct source_frame *frame)
{
	struct script_place inlined = *place;

	if (frame->function)
		inlined.symbol.name = frame->function;
	strbuf_addc(&writer->out, '\t');
	strbuf_add_hex(&writer->out, place->shown, 16);
	add_symbol(writer, attr, &inlined);
	if (has(writer, attr, SCRIPT_SRCLINE))
		add_source_line(writer, place, frame->file, frame->line);
	strbuf_adds(&writer->out, " (inlined)\n");
}

/* perf shows user addresses of a chain as addresses in their DSO, and the kernel's as they are. */
static void add_marked_frame(struct script_writer *writer, const struct script_sample *sample,
			     uint16_t cpumode, uint64_t address, bool is_return, const char *mark)
{
	const uint16_t sample_mode = sample->sample->misc & RECORD_MISC_CPUMODE_MASK;
	const struct perf_attr *attr = &sample->desc->attr;
	const bool lines = has(writer, attr, SCRIPT_SRCLINE);
	const struct source_frame *frames = NULL;
	struct script_place place;
	size_t count = 0, last;

	if (cpumode == PERF_RECORD_MISC_USER && sample_mode == PERF_RECORD_MISC_KERNEL)
		script_places_find_left(writer->places, &place, sample->sample->pid, sample->state_time_ns,
					address);
	else
		script_places_find(writer->places, &place, sample->sample->pid, sample->state_time_ns,
				   cpumode, address);
	if (lines || (writer->style.inlines && has(writer, attr, SCRIPT_SYM)))
		count = find_source(&place, is_return, &frames);
	last = count && writer->style.inlines && place.has_symbol ? count - 1 : 0;
	for (size_t i = 0; i < last; i++)
		add_inlined(writer, attr, &place, &frames[i]);
	strbuf_addc(&writer->out, '\t');
	strbuf_add_hex(&writer->out, place.shown, 16);
	add_symbol(writer, attr, &place);
	strbuf_adds(&writer->out, mark);
	add_dso(writer, attr, &place);
	if (lines)
		add_source_line(writer, &place, count ? frames[last].file : NULL,
				count ? frames[last].line : 0);
	strbuf_addc(&writer->out, '\n');
}

static void add_frame(struct script_writer *writer, const struct script_sample *sample, uint16_t cpumode,
		      uint64_t address, bool is_return)
{
	add_marked_frame(writer, sample, cpumode, address, is_return, "");
}

/* The mode of what follows a marker; -1: a chain with it is not to be read, as in perf. */
static int context_mode(uint64_t context)
{
	switch (context) {
	case (uint64_t)PERF_CONTEXT_HV: return PERF_RECORD_MISC_HYPERVISOR;
	case (uint64_t)PERF_CONTEXT_KERNEL: return PERF_RECORD_MISC_KERNEL;
	case CONTEXT_USER_DEFERRED:
	case (uint64_t)PERF_CONTEXT_USER: return PERF_RECORD_MISC_USER;
	case (uint64_t)PERF_CONTEXT_GUEST:
	case (uint64_t)PERF_CONTEXT_GUEST_KERNEL: return PERF_RECORD_MISC_GUEST_KERNEL;
	case (uint64_t)PERF_CONTEXT_GUEST_USER: return PERF_RECORD_MISC_GUEST_USER;
	default: return -1;
	}
}

/*
 * --call-graph lbr: the branch stack holds the calls that have not returned, and
 * stands for the user part of the chain (resolve_lbr_callchain_sample(),
 * tools/perf/util/machine.c): where the last call went, then where each came from.
 * All of them, however few frames were asked for.
 */
static void add_call_branches(struct script_writer *writer, const struct script_sample *sample)
{
	const struct sample *s = sample->sample;

	for (size_t i = 0; i < s->branch_count; i++) {
		const struct branch_entry branch = sample_branch(s, i);

		if (i == 0)
			add_frame(writer, sample, PERF_RECORD_MISC_USER, branch.to, false);
		add_frame(writer, sample, PERF_RECORD_MISC_USER, branch.from, false);
	}
}

/* How many words of the chain count: those in front of its user part where branches stand for that, else all. */
static size_t words_before_branches(const struct script_writer *writer, const struct script_sample *sample)
{
	const struct sample *s = sample->sample;

	if (!s->branch_count || !(sample->desc->attr.branch_sample_type & PERF_SAMPLE_BRANCH_CALL_STACK))
		return s->callchain_count;
	for (size_t i = 0; i < s->callchain_count && i < writer->style.max_stack; i++)
		if (sample_callchain_entry(s, i) == (uint64_t)PERF_CONTEXT_USER)
			return i;
	return s->callchain_count;
}

/* A way along the frames of a chain. */
struct chain_walk {
	const struct sample *sample;
	size_t word, word_count;
	int cpumode; /* of the frame that was last */
};

/* 1 and the next frame's address; 0: no more; -1: a marker that nobody knows. */
static int next_frame(struct chain_walk *walk, uint64_t *address)
{
	while (walk->word < walk->word_count) {
		*address = sample_callchain_entry(walk->sample, walk->word++);
		if (*address < CONTEXT_FIRST)
			return 1;
		walk->cpumode = context_mode(*address);
		if (walk->cpumode < 0)
			return -1;
		if (*address == CONTEXT_USER_DEFERRED)
			walk->word++;
	}
	return 0;
}

static struct chain_walk walk_chain(const struct script_writer *writer, const struct script_sample *sample)
{
	return (struct chain_walk){ .sample = sample->sample,
				    .word_count = words_before_branches(writer, sample),
				    .cpumode = PERF_RECORD_MISC_USER }; /* until a marker says otherwise */
}

/* Those that unwinding the stack dump has to compete with. */
static size_t user_frames(const struct script_writer *writer, const struct script_sample *sample)
{
	struct chain_walk walk = walk_chain(writer, sample);
	size_t count = 0;
	uint64_t address;
	int result;

	while ((result = next_frame(&walk, &address)) == 1)
		count += walk.cpumode == PERF_RECORD_MISC_USER;
	return result < 0 ? 0 : count;
}

/* The user part of the stack, where it is not the chain that has it: NULL. */
static const struct unwind_stack *unwind(const struct script_writer *writer,
					 const struct script_sample *sample)
{
	const struct sample *s = sample->sample;
	struct process_state state;

	if (!writer->unwinder || !s->user_stack_size)
		return NULL;
	state = process_table_state(writer->processes, s->pid, sample->state_time_ns);
	return dump_unwinder_choose(writer->unwinder, s, &state, sample->state_time_ns, writer->style.unwind,
				    user_frames(writer, sample));
}

/* As perf: the address of a call is shown as the one before where it returns to, which is still in the caller. */
static void add_unwound(struct script_writer *writer, const struct script_sample *sample,
			const struct unwind_stack *stack)
{
	const size_t most = writer->style.max_frames ? writer->style.max_frames : SIZE_MAX;
	bool guessed = false; /* what stands on a guess is no better */

	for (size_t i = 0; i < stack->count && i < most; i++) {
		guessed |= stack->frames[i].how == UNWIND_HOW_GUESSED;
		add_marked_frame(writer, sample, PERF_RECORD_MISC_USER,
				 stack->frames[i].address - dump_unwinder_frame_returns(stack, i), false,
				 guessed                 ? " [guessed]" :
				 stack->frames[i].joined ? " [joined]" :
							   "");
	}
}

static void add_callchain(struct script_writer *writer, const struct script_sample *sample)
{
	const struct unwind_stack *unwound = unwind(writer, sample);
	struct chain_walk walk = walk_chain(writer, sample);
	const size_t start = writer->out.size;
	unsigned int frames = 0;
	bool after_user = false; /* the frame before was of user space, too: it was called from this one */
	uint64_t address;
	int result = 0;

	while (frames < writer->style.max_stack && (result = next_frame(&walk, &address)) == 1) {
		if (unwound && walk.cpumode == PERF_RECORD_MISC_USER)
			break;
		add_frame(writer, sample, (uint16_t)walk.cpumode, address, after_user);
		after_user = walk.cpumode == PERF_RECORD_MISC_USER;
		frames++;
	}
	if (result < 0) {
		writer->out.size = start;
		writer->out.bytes[start] = '\0';
	}
	if (unwound)
		add_unwound(writer, sample, unwound);
	else if (result >= 0 && walk.word_count < sample->sample->callchain_count)
		add_call_branches(writer, sample);
}

static void add_ip(struct script_writer *writer, const struct script_sample *sample)
{
	const struct perf_attr *attr = &sample->desc->attr;

	if (writer->style.callchains && attr->sample_type & PERF_SAMPLE_CALLCHAIN) {
		strbuf_addc(&writer->out, '\n');
		add_callchain(writer, sample);
		return;
	}
	strbuf_addc(&writer->out, ' ');
	strbuf_add_hex(&writer->out, sample->sample->ip, 16);
	add_place(writer, attr, &sample->leaf);
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
	add_place(writer, &sample->desc->attr, &place);
}

/* --- branches -------------------------------------------------------------------- */

/* PERF_BR_*, tools/perf/util/branch.c */
static const char *const branch_type_names[16] = {
	"",       "COND",      "UNCOND",   "IND",  "CALL", "IND_CALL", "RET",   "SYSCALL",
	"SYSRET", "COND_CALL", "COND_RET", "ERET", "IRQ",  "SERROR",   "NO_TX", "",
};

static void add_branch_flags(struct strbuf *out, const struct branch_entry *branch)
{
	strbuf_addf(out, "/%c/%c/%c/%u/%s ",
		    branch->predicted    ? 'P' :
		    branch->mispredicted ? 'M' :
					   '-',
		    branch->in_transaction ? 'X' : '-', branch->transaction_abort ? 'A' : '-', branch->cycles,
		    branch_type_names[branch->type & 15]);
}

enum branch_form { BRANCH_ADDRESS, BRANCH_SYMBOL, BRANCH_OFFSET };

static void add_branch_end(struct script_writer *writer, const struct script_sample *sample,
			   enum branch_form form, uint64_t address)
{
	const struct sample *s = sample->sample;
	const bool with_dso = has(writer, &sample->desc->attr, SCRIPT_DSO);
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

/* The text comes from another process, many samples at a time: here is only where it belongs. */
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
	writer->holes = array_grow(writer->holes, &writer->hole_capacity, writer->hole_count + 1,
				   sizeof(writer->holes[0]));
	writer->holes[writer->hole_count++].offset = writer->out.size;
}

void script_fill_holes(struct script_writer *writer)
{
	struct strbuf filled;
	size_t done = 0;

	if (writer->hole_count == 0)
		return;
	strbuf_init(&filled);
	for (size_t i = 0; i < writer->hole_count; i++) {
		struct error err;

		strbuf_add(&filled, writer->out.bytes + done, writer->holes[i].offset - done);
		done = writer->holes[i].offset;
		if (tracepoint_formats_answer(writer->tracepoints, &filled, &err) != 0)
			strbuf_addf(&filled, "[%s]", err.message);
	}
	strbuf_add(&filled, writer->out.bytes + done, writer->out.size - done);
	strbuf_fini(&writer->out);
	writer->out = filled;
	writer->hole_count = 0;
}

static void add_data_src(struct script_writer *writer, uint64_t data_src)
{
	const size_t start = writer->out.size;
	int width;

	strbuf_addf(&writer->out, "%16" PRIx64 " ", data_src);
	script_data_src_add(&writer->out, data_src);
	width = (int)(writer->out.size - start);
	if (width > writer->data_src_width)
		writer->data_src_width = width;
	strbuf_addf(&writer->out, "%*s", writer->data_src_width - width, "");
}

static void add_page_size(struct strbuf *out, uint64_t size_bytes)
{
	static const char units[] = "\0KMGTPE";
	unsigned int unit = 0;

	for (; size_bytes >= 1024 && unit < 6; unit++)
		size_bytes /= 1024;
	if (size_bytes == 0)
		strbuf_adds(out, " N/A");
	else if (unit == 0)
		strbuf_addf(out, " %" PRIu64, size_bytes);
	else
		strbuf_addf(out, " %" PRIu64 "%c", size_bytes, units[unit]);
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

/* Eight bytes a line, and the whole as text when it is printable and ends with NULs. */
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

/* In front of the address. */
static void add_memory_fields(struct script_writer *writer, const struct script_sample *sample)
{
	const struct perf_attr *attr = &sample->desc->attr;
	const struct sample *s = sample->sample;

	if (has(writer, attr, SCRIPT_ADDR))
		add_addr(writer, sample);
	if (has(writer, attr, SCRIPT_DATA_SRC))
		add_data_src(writer, s->data_src);
	if (has(writer, attr, SCRIPT_WEIGHT))
		strbuf_addf(&writer->out, "%16" PRIu64, s->weight);
	if (has(writer, attr, SCRIPT_INS_LAT))
		strbuf_addf(&writer->out, "%16u", s->weight_var2);
}

/* Behind the address. */
static void add_details(struct script_writer *writer, const struct script_sample *sample)
{
	const struct perf_attr *attr = &sample->desc->attr;
	const struct sample *s = sample->sample;

	if (has(writer, attr, SCRIPT_IREGS))
		add_registers(writer, s, s->intr_regs_abi, s->intr_regs_mask, s->intr_regs);
	if (has(writer, attr, SCRIPT_UREGS))
		add_registers(writer, s, s->user_regs_abi, s->user_regs_mask, s->user_regs);
	if (has(writer, attr, SCRIPT_BRSTACK))
		add_branches(writer, sample, BRANCH_ADDRESS);
	else if (has(writer, attr, SCRIPT_BRSTACKSYM))
		add_branches(writer, sample, BRANCH_SYMBOL);
	else if (has(writer, attr, SCRIPT_BRSTACKOFF))
		add_branches(writer, sample, BRANCH_OFFSET);
	if (has(writer, attr, SCRIPT_BPF_OUTPUT) && is_bpf_output(attr))
		add_bpf_output(&writer->out, s->raw, s->raw_size);
	script_code_add(writer, sample);
	if (has(writer, attr, SCRIPT_PHYS_ADDR))
		strbuf_addf(&writer->out, "%16" PRIx64, s->phys_addr);
	if (has(writer, attr, SCRIPT_DATA_PAGE_SIZE))
		add_page_size(&writer->out, s->data_page_size);
	if (has(writer, attr, SCRIPT_CODE_PAGE_SIZE))
		add_page_size(&writer->out, s->code_page_size);
}

/* A branch trace shows where from and where to. */
static void add_branch_trace(struct script_writer *writer, const struct script_sample *sample)
{
	const struct perf_attr *attr = &sample->desc->attr;
	const struct script_type_fields *type = &writer->style.fields.types[script_type_of(attr)];

	if (has(writer, attr, SCRIPT_IP))
		add_ip(writer, sample);
	if (has(writer, attr, SCRIPT_ADDR) || (attr->sample_type & PERF_SAMPLE_ADDR && !type->set_by_user)) {
		strbuf_adds(&writer->out, " => ");
		add_addr(writer, sample);
	}
	script_code_add(writer, sample);
	strbuf_addc(&writer->out, '\n');
}

static char *tracepoint_name(struct script_writer *writer, uint64_t config)
{
	struct strbuf name;
	char *copy;

	script_fill_holes(writer); /* answers come in the order of the questions */
	strbuf_init(&name);
	copy = tracepoint_formats_name(writer->tracepoints, config, &name) == 0 ? xstrdup(name.bytes) : NULL;
	strbuf_fini(&name);
	return copy;
}

const char *script_event_name(struct script_writer *writer, size_t event)
{
	const struct event_desc *desc = perf_file_event(writer->file, event);
	char **known;

	/* What perf_attr_name() calls one of which nothing but the number is known. */
	if (!writer->tracepoints || desc->attr.type != PERF_TYPE_TRACEPOINT ||
	    strncmp(desc->name, "tracepoint ", 11) != 0)
		return desc->name;
	writer->tracepoint_names = array_grow(writer->tracepoint_names, &writer->tracepoint_name_capacity,
					      event + 1, sizeof(writer->tracepoint_names[0]));
	while (writer->tracepoint_name_count <= event)
		writer->tracepoint_names[writer->tracepoint_name_count++] = NULL;
	known = &writer->tracepoint_names[event];
	if (!*known)
		*known = tracepoint_name(writer, desc->attr.config);
	if (!*known)
		*known = xstrdup(desc->name);
	return *known;
}

void script_writer_init(struct script_writer *writer, const struct script_style *style,
			const struct perf_file *file, struct process_table *processes)
{
	*writer = (struct script_writer){ .style = *style, .file = file, .processes = processes };
	strbuf_init(&writer->out);
}

void script_writer_fini(struct script_writer *writer)
{
	for (size_t i = 0; i < writer->tracepoint_name_count; i++)
		free(writer->tracepoint_names[i]);
	free(writer->tracepoint_names);
	free(writer->holes);
	strbuf_fini(&writer->out);
}

void script_sample_write(struct script_writer *writer, const struct script_sample *sample)
{
	const struct perf_attr *attr = &sample->desc->attr;
	const struct sample *s = sample->sample;

	if (writer->style.fields.types[script_type_of(attr)].fields == 0)
		return;
	script_start_write(writer, attr,
			   &(struct script_start){ .comm = sample->comm,
						   .pid = s->pid,
						   .tid = s->tid,
						   .cpu = s->cpu,
						   .time_ns = s->time_ns,
						   .record_type = PERF_RECORD_SAMPLE,
						   .misc = s->misc });
	if (has(writer, attr, SCRIPT_PERIOD)) {
		strbuf_add_decimal(&writer->out, sample->period, 10);
		strbuf_addc(&writer->out, ' ');
	}
	if (has(writer, attr, SCRIPT_EVENT)) {
		strbuf_add_right(&writer->out, script_event_name(writer, sample->event),
				 (unsigned int)writer->style.name_width);
		strbuf_adds(&writer->out, ": ");
	}
	if (writer->style.fields.flags) /* what decoding a trace finds out about a branch: nothing here */
		strbuf_addf(&writer->out, "  %-21s ", "");
	if (is_branch_trace(attr)) {
		add_branch_trace(writer, sample);
		return;
	}
	if (has(writer, attr, SCRIPT_TRACE))
		add_trace(writer, sample);
	add_memory_fields(writer, sample);
	if (has(writer, attr, SCRIPT_IP))
		add_ip(writer, sample);
	add_details(writer, sample);
	strbuf_addc(&writer->out, '\n');
}
