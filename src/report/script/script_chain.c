/*
 * Start at script_chain_add(), which chooses between the recorded chain, the unwound dump, and the branches of --call-graph
 * lbr. add_frame() writes one frame with all that is inlined there, as text or as JSON.
 */
#include "report/script/script_sample.h"

#include <inttypes.h>
#include <linux/perf_event.h>
#include <string.h>

#include "format/branch_entry.h"
#include "format/callchain.h"
#include "format/perf_abi.h"
#include "text/safe_text.h"

/* Marks of frames that are less certain than others. */
static const char guessed_origin[] = "guessed", joined_origin[] = "joined", continued_origin[] = "continued",
		  assumed_origin[] = "assumed";

static void add_symbol(struct script_writer *writer, const struct perf_attr *attr,
		       const struct script_place *place)
{
	if (!script_writer_has(writer, attr, SCRIPT_SYM))
		return;
	strbuf_addc(&writer->out, ' ');
	script_place_add_symbol(&writer->out, place, script_writer_has(writer, attr, SCRIPT_SYMOFF));
}

static void add_dso(struct script_writer *writer, const struct perf_attr *attr,
		    const struct script_place *place)
{
	if (!script_writer_has(writer, attr, SCRIPT_DSO))
		return;
	strbuf_addc(&writer->out, ' ');
	script_place_add_dso(&writer->out, place);
}

/* On a line of its own. As perf, names the DSO and the address if `file` is NULL. */
static void add_source_line(struct script_writer *writer, const struct script_place *place, const char *file,
			    uint32_t line)
{
	if (!file && !place->dso)
		return;
	strbuf_adds(&writer->out, "\n  ");
	if (file) {
		safe_text_add(&writer->out, writer->style.full_source_path ? file : basename(file));
		strbuf_addf(&writer->out, ":%" PRIu32, line);
	} else {
		safe_text_add(&writer->out, place->dso->name);
		strbuf_addf(&writer->out, "[%" PRIx64 "]", place->shown);
	}
}

/* Frames at a place, innermost first. `is_return`: the place is a return address, so look up the call, one byte before it. */
static size_t find_source(const struct script_place *place, bool is_return,
			  const struct source_frame **frames)
{
	return place->table ? symbol_table_find_source(place->table, place->address - is_return, frames) : 0;
}

/* Writes symbol, DSO and source line of a place, not its address. */
void script_chain_add_place(struct script_writer *writer, const struct perf_attr *attr,
			    const struct script_place *place)
{
	const struct source_frame *frames;
	size_t count;

	add_symbol(writer, attr, place);
	add_dso(writer, attr, place);
	if (!script_writer_has(writer, attr, SCRIPT_SRCLINE))
		return;
	count = find_source(place, false, &frames);
	add_source_line(writer, place, count ? frames[0].file : NULL, count ? frames[0].line : 0);
}

/* As perf: prints the address and offset in the function into which it is inlined, and "(inlined)" instead of the DSO. */
static void add_inlined(struct script_writer *writer, const struct perf_attr *attr,
			const struct script_place *place, const struct source_frame *frame)
{
	struct script_place inlined = *place;

	if (frame->function)
		inlined.symbol.name = frame->function;
	strbuf_addc(&writer->out, '\t');
	strbuf_add_hex(&writer->out, place->shown, 16);
	add_symbol(writer, attr, &inlined);
	if (script_writer_has(writer, attr, SCRIPT_SRCLINE))
		add_source_line(writer, place, frame->file, frame->line);
	strbuf_adds(&writer->out, " (inlined)\n");
}

/* --stop-bt: a chain is printed up to the first of these functions. */
static bool is_last(const struct script_writer *writer, const char *function)
{
	const struct text_list *last = writer->style.last_functions;

	return last && function && text_list_has(last, function);
}

/*
 * perf shows user addresses of a chain as addresses in their DSO, and the kernel's as they are. Returns false if the chain ends
 * here.
 */
static bool add_frame(struct script_writer *writer, const struct script_sample *sample, uint16_t cpumode,
		      uint64_t address, bool is_return)
{
	const uint16_t sample_mode = sample->sample->misc & RECORD_MISC_CPUMODE_MASK;
	const struct perf_attr *attr = &sample->desc->attr;
	const bool lines = script_writer_has(writer, attr, SCRIPT_SRCLINE);
	const struct source_frame *frames = NULL;
	struct script_place place;
	size_t count = 0, last;

	if (cpumode == PERF_RECORD_MISC_USER && script_places_find_elided(writer->places, &place, address))
		; /* a mark for frames that were left out */
	else if (cpumode == PERF_RECORD_MISC_USER && sample_mode == PERF_RECORD_MISC_KERNEL)
		script_places_find_left(writer->places, &place, sample->sample->pid, sample->state_time_ns,
					address);
	else
		script_places_find(writer->places, &place, sample->sample->pid, sample->state_time_ns,
				   cpumode, address);
	if (writer->json) {
		script_place_add_json(writer->json, address, &place);
		return true;
	}
	if (lines || (writer->style.inlines && script_writer_has(writer, attr, SCRIPT_SYM)))
		count = find_source(&place, is_return, &frames);
	last = count && writer->style.inlines && place.has_symbol ? count - 1 : 0;
	for (size_t i = 0; i < last; i++) {
		add_inlined(writer, attr, &place, &frames[i]);
		if (is_last(writer, frames[i].function))
			return false;
	}
	strbuf_addc(&writer->out, '\t');
	strbuf_add_hex(&writer->out, place.shown, 16);
	add_symbol(writer, attr, &place);
	add_dso(writer, attr, &place);
	if (lines)
		add_source_line(writer, &place, count ? frames[last].file : NULL,
				count ? frames[last].line : 0);
	strbuf_addc(&writer->out, '\n');
	return !place.has_symbol || !is_last(writer, place.symbol.name);
}

/*
 * Writes a line before the first frame that says how this frame and the next ones were found. The line is a comment: every
 * program that reads the text of perf script skips those (stackcollapse-perf.pl, inferno, speedscope, the Firefox Profiler), but
 * takes a word after the symbol as part of its name, and inferno a word after the DSO as the DSO.
 */
static void add_origin(struct script_writer *writer, const char *origin, const char **last)
{
	if (origin && origin != *last && !writer->json)
		strbuf_addf(&writer->out, "# [%s]\n", origin);
	else if (!origin && *last && !writer->json)
		strbuf_adds(&writer->out, "# [proved]\n");
	*last = origin;
}

/*
 * --call-graph lbr: the branch stack holds the calls that have not returned, and replaces the user part of the chain
 * (resolve_lbr_callchain_sample(), tools/perf/util/machine.c): the target of the last call, then the source of each. Writes all
 * of them, even if fewer frames were requested.
 */
static void add_call_branches(struct script_writer *writer, const struct script_sample *sample)
{
	const struct sample *s = sample->sample;

	for (size_t i = 0; i < s->branch_count; i++) {
		const struct branch_entry branch = sample_branch(s, i);

		if (i == 0 && !add_frame(writer, sample, PERF_RECORD_MISC_USER, branch.to, false))
			return;
		if (!add_frame(writer, sample, PERF_RECORD_MISC_USER, branch.from, false))
			return;
	}
}

static size_t most_callers(const struct script_writer *writer)
{
	return writer->style.stacks.max_stack ? writer->style.stacks.max_stack : SIZE_MAX;
}

/* Number of words of the chain to print: those before its user part if branches replace that, else all. */
static size_t words_before_branches(const struct script_writer *writer, const struct script_sample *sample)
{
	const struct sample *s = sample->sample;

	if (!s->branch_count || !(sample->desc->attr.branch_sample_type & PERF_SAMPLE_BRANCH_CALL_STACK))
		return s->callchain_count;
	for (size_t i = 0; i < s->callchain_count && i < most_callers(writer); i++)
		if (sample_callchain_entry(s, i) == (uint64_t)PERF_CONTEXT_USER)
			return i;
	return s->callchain_count;
}

static struct callchain chain_of(const struct script_writer *writer, const struct script_sample *sample)
{
	struct callchain chain = callchain_of(sample->sample);

	chain.end = words_before_branches(writer, sample);
	return chain;
}

/* Number of user frames in the recorded chain; dump_unwinder_choose() compares the unwound stack with them. */
static size_t user_frames(const struct script_writer *writer, const struct script_sample *sample)
{
	struct callchain chain = chain_of(writer, sample);
	size_t count = 0;
	int result;

	while ((result = callchain_next(&chain)) == 1)
		count += chain.cpumode == PERF_RECORD_MISC_USER;
	return result < 0 ? 0 : count;
}

/* The user part of the stack, unwound from the dump. NULL if it comes from the recorded chain. */
static const struct unwind_stack *unwind(const struct script_writer *writer,
					 const struct script_sample *sample)
{
	const struct sample *s = sample->sample;
	struct process_state state;

	if (!writer->unwinder || (!s->user_stack_size && !dump_unwinder_dump_failed(s)))
		return NULL;
	state = process_table_state(writer->processes, s->pid, sample->state_time_ns);
	return dump_unwinder_choose(writer->unwinder, s, &state, sample->state_time_ns,
				    writer->style.stacks.unwind, user_frames(writer, sample), NULL);
}

/* As perf: shows a call as the return address minus 1, which is still in the caller. */
static void add_unwound(struct script_writer *writer, const struct script_sample *sample,
			const struct unwind_stack *stack)
{
	const size_t most = most_callers(writer);
	bool guessed = false; /* callers of a guessed frame are guesses, too */
	const char *origin = NULL;

	for (size_t i = 0; i < stack->count && i < most; i++) {
		guessed |= stack->frames[i].how == UNWIND_HOW_GUESSED;
		add_origin(writer,
			   guessed                                    ? guessed_origin :
			   stack->frames[i].joined                    ? joined_origin :
			   stack->frames[i].how == UNWIND_HOW_ASSUMED ? assumed_origin :
									NULL,
			   &origin);
		if (!add_frame(writer, sample, PERF_RECORD_MISC_USER,
			       stack->frames[i].address - dump_unwinder_frame_returns(stack, i), false))
			return;
	}
}

void script_chain_add(struct script_writer *writer, const struct script_sample *sample)
{
	const struct unwind_stack *unwound = unwind(writer, sample);
	struct callchain chain = chain_of(writer, sample);
	const size_t start = writer->out.size;
	const struct json_writer json = writer->json ? *writer->json : (struct json_writer){ 0 };
	unsigned int frames = 0;
	bool after_user = false; /* the previous frame was in user space, too: this one called it */
	const char *origin = NULL;
	int result = 0;

	while (frames < most_callers(writer) && (result = callchain_next(&chain)) == 1) {
		if (unwound && chain.cpumode == PERF_RECORD_MISC_USER)
			break;
		add_origin(writer,
			   chain.is_assumed   ? assumed_origin :
			   chain.is_continued ? continued_origin :
						NULL,
			   &origin);
		if (!add_frame(writer, sample, (uint16_t)chain.cpumode, chain.address, after_user))
			return;
		after_user = chain.cpumode == PERF_RECORD_MISC_USER;
		frames++;
	}
	if (result < 0) {
		writer->out.size = start;
		writer->out.bytes[start] = '\0';
		if (writer->json)
			*writer->json = json;
	}
	if (unwound)
		add_unwound(writer, sample, unwound);
	else if (result >= 0 && chain.end < sample->sample->callchain_count)
		add_call_branches(writer, sample);
}
