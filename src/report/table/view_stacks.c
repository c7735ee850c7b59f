/*
 * 'report --stacks': the files in which stacks end too soon, and those whose callers are not certain, one
 * line for each file and reason, with a remedy. First counts the reasons for each file, then sorts and draws.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"
#include "report/remedy/run_time_code.h"
#include "report/view/view.h"
#include "text/safe_text.h"

/* Faults of stacks: the reasons why they end (enum stack_end), and two kinds of callers that may be wrong. */
enum {
	FAULT_GUESSED = STACK_END_COUNT,
	FAULT_UNPROVED,
	FAULT_COUNT,
	FAULTS_THAT_CUT = STACK_END_JOINED, /* faults before this one end the stack */
};

static const char *const remedies[FAULT_COUNT] = {
	[STACK_END_NO_CFI] =
		"no unwind information: build with -fasynchronous-unwind-tables or -fno-omit-frame-pointer",
	[STACK_END_CHAIN] =
		"the recorded chain ends in code without frame pointers: record with '-g', which needs none",
	[STACK_END_DUMP] =
		"deeper than the stack dump: record with '-g' as root, or '--call-graph dwarf,65528'",
	[STACK_END_OUT_OF_REACH] = "continues where no stack dump reaches: record with '-g' as root",
	[STACK_END_BAD_CFI] = "the unwind information leads nowhere: assembly, or a change to another stack",
	[STACK_END_BAD_RETURN] = "a return address leads to no code",
	[STACK_END_DEPTH] =
		"deeper than the kernel follows: 'sysctl kernel.perf_event_max_stack=512' before recording",
	[STACK_END_UNNAMED] =
		"perhaps the thread's start, which has no name: install libc6-dbg or glibc-debuginfo",
	[STACK_END_UNKNOWN] = "the recording does not say why",
	[STACK_END_JOINED] = "deeper than the stack dump, and joined to another stack of the thread",
	[STACK_END_ASSUMED] =
		"it calls or jumps to unknown code, assumed to leave the stack pointer unchanged",
	[FAULT_GUESSED] = "no unwind information; callers are guessed from here on",
	[FAULT_UNPROVED] = "no unwind information; the frame pointer was followed",
};

/* Used instead if whole stacks were copied. NULL: the same remedy. */
static const char *const copied_remedies[FAULT_COUNT] = {
	[STACK_END_DUMP] =
		"deeper than a record holds, and not followed to its start while recording: a lower '-F' gives more time",
	[STACK_END_OUT_OF_REACH] =
		"continues in memory that is not the thread's stack, or that could not be copied",
};

/* Code made at run time has no file that could be rebuilt. */
static const char run_time_remedy[] = "made at run time, without frame pointers or unwind information";

/* A return probe puts this on the stack in place of a caller. */
static const char return_probe_remedy[] =
	"a return probe has replaced the return address: record with '-g' as root, or without the probe";
static const char copied_return_probe_remedy[] =
	"a return probe has replaced the return address: record without the probe";

struct row {
	uint32_t dso;     /* PROFILE_NONE: nothing was mapped there */
	uint64_t samples; /* of stacks that contain the file */
	uint64_t faults[FAULT_COUNT];
	const char *run_time_advice; /* for a thread whose stacks end in the file; NULL: none is known */
	uint32_t last_sample, last_unproved,
		last_assumed; /* the sample counted last, plus 1: each counts once */
};

struct stacks {
	const struct view_input *input;
	bool copied;
	struct run_time_advice *advice;
	struct row *rows; /* by DSO; the last one is for no DSO */
	uint32_t dso_count;
	uint64_t samples, chainless, rooted, joined, assumed, guessed, shortened, continued;
	uint64_t with_calls; /* stacks with calls that the CPU recorded */
	uint64_t with_more;  /* those of them that have frames beyond these calls */
};

/* --- counting ---------------------------------------------------------------------- */

/* The files that a sample's stack passes through, from its innermost frame out. */
struct passage {
	struct row *outermost;
	struct row *short_dump;   /* the last file before the first joined frame; NULL: nothing was joined */
	struct row *led_to_guess; /* the last file before the first guessed frame; NULL: nothing was guessed */
	bool shortened;           /* the recorder left out frames in its middle */
	bool continued;           /* with frames that the recorder read in the process */
	bool has_calls;           /* has calls that the CPU recorded: --call-graph lbr */
	bool has_more;            /* has frames beyond these calls */
};

static struct row *row_of(struct stacks *stacks, uint32_t stack)
{
	const struct profile *profile = stacks->input->profile;
	uint32_t dso = profile_location_at(profile, profile_stack_at(profile, stack)->location)->dso;

	return &stacks->rows[dso == PROFILE_NONE ? stacks->dso_count : dso];
}

/* A caller found by a frame pointer alone, or assumed, counts for the file of the function that it called. */
static void count_uncertain(struct row *callee, unsigned int fault, const struct profile_sample *sample,
			    uint32_t number)
{
	uint32_t *last;

	if (!callee)
		return;
	last = fault == STACK_END_ASSUMED ? &callee->last_assumed : &callee->last_unproved;
	if (*last == number + 1)
		return;
	callee->faults[fault] += sample->count;
	*last = number + 1;
}

static struct passage count_frames(struct stacks *stacks, const struct profile_sample *sample,
				   uint32_t number)
{
	const struct profile *profile = stacks->input->profile;
	struct passage passage = { .outermost = NULL };
	enum frame_origin inner = FRAME_SAMPLED;

	for (uint32_t stack = sample->stack; stack != PROFILE_NONE;
	     stack = profile_stack_at(profile, stack)->parent) {
		enum frame_origin origin = (enum frame_origin)profile_stack_at(profile, stack)->origin;
		struct row *row = row_of(stacks, stack);

		if (frame_origin_is_waker(origin)) /* of another thread */
			continue;
		if (origin == FRAME_ELIDED) { /* is in no file */
			passage.shortened = true;
			continue;
		}
		if (row->last_sample != number + 1)
			row->samples += sample->count;
		row->last_sample = number + 1;
		passage.continued |= origin == FRAME_CONTINUED;
		passage.has_more |= passage.has_calls && origin != FRAME_LBR;
		passage.has_calls |= origin == FRAME_LBR;
		if (origin == FRAME_POINTER)
			count_uncertain(passage.outermost, FAULT_UNPROVED, sample, number);
		if (origin == FRAME_ASSUMED)
			count_uncertain(passage.outermost, STACK_END_ASSUMED, sample, number);
		if (origin == FRAME_JOINED && inner != FRAME_JOINED && !passage.short_dump)
			passage.short_dump = passage.outermost;
		if (origin == FRAME_GUESSED && inner != FRAME_GUESSED && !passage.led_to_guess)
			passage.led_to_guess = passage.outermost;
		inner = origin;
		passage.outermost = row;
	}
	return passage;
}

static bool has_guesses(const struct profile *profile, uint32_t stack)
{
	/* Callers of a guessed frame are guesses, too, so one is among the outermost frames; a signal's frame may be between. */
	for (; stack != PROFILE_NONE; stack = profile_stack_at(profile, stack)->parent)
		if (profile_stack_at(profile, stack)->origin == FRAME_GUESSED)
			return true;
	return false;
}

static void count_sample(struct stacks *stacks, uint32_t number)
{
	const struct profile_sample *sample = profile_sample_at(stacks->input->profile, number);
	struct passage passage;
	bool guessed;

	stacks->samples += sample->count;
	if (sample->end == STACK_END_NO_CHAIN || sample->end == STACK_END_REPLACED) {
		stacks->chainless += sample->count;
		return;
	}
	guessed = has_guesses(stacks->input->profile, sample->stack);
	passage = count_frames(stacks, sample, number);
	stacks->shortened += passage.shortened ? sample->count : 0;
	stacks->continued += passage.continued ? sample->count : 0;
	stacks->with_calls += passage.has_calls ? sample->count : 0;
	stacks->with_more += passage.has_more ? sample->count : 0;
	stacks->rooted += sample->end == STACK_END_ROOT && !guessed ? sample->count : 0;
	if (guessed) {
		stacks->guessed += sample->count;
		if (passage.led_to_guess)
			passage.led_to_guess->faults[FAULT_GUESSED] += sample->count;
	}
	if (sample->end == STACK_END_JOINED) {
		stacks->joined += sample->count;
		if (passage.short_dump)
			passage.short_dump->faults[STACK_END_JOINED] += sample->count;
	} else if (sample->end == STACK_END_ASSUMED) {
		stacks->assumed += sample->count;
	} else if (sample->end != STACK_END_ROOT && passage.outermost) {
		passage.outermost->faults[sample->end] += sample->count;
		if (!passage.outermost->run_time_advice)
			passage.outermost->run_time_advice =
				run_time_advice_of(stacks->advice, sample->thread, passage.outermost->dso);
	}
}

static void count_samples(struct stacks *stacks)
{
	const struct view_input *input = stacks->input;
	uint32_t count = profile_sample_count(input->profile);

	for (uint32_t i = 0; i < count; i++) {
		const struct profile_sample *sample = profile_sample_at(input->profile, i);

		if (selection_has_event(input, sample->event) &&
		    filter_passes(&input->selection->filter, input->profile, sample))
			count_sample(stacks, i);
	}
}

/* --- lines: one file and what is wrong there -------------------------------------------- */

struct line {
	const struct row *row;
	unsigned int fault;
};

struct lines {
	struct line *items;
	size_t count;
};

static uint64_t line_samples(const struct line *line)
{
	return line->row->faults[line->fault];
}

/* Stacks that end for an unknown reason come last. */
static int rank(unsigned int fault)
{
	return fault == STACK_END_UNKNOWN ? FAULT_COUNT : (int)fault;
}

static int worst_first(const void *a, const void *b)
{
	const struct line *left = a, *right = b;
	uint64_t x = line_samples(left), y = line_samples(right);

	if (x != y)
		return x > y ? -1 : 1;
	if (left->row->dso != right->row->dso)
		return left->row->dso < right->row->dso ? -1 : 1;
	return rank(left->fault) - rank(right->fault);
}

static struct lines find_lines(const struct stacks *stacks, unsigned int first, unsigned int end)
{
	struct lines lines = { .items = xcalloc((size_t)(stacks->dso_count + 1) * FAULT_COUNT,
						sizeof(*lines.items)) };

	for (uint32_t i = 0; i <= stacks->dso_count; i++)
		for (unsigned int fault = first; fault < end; fault++)
			if (stacks->rows[i].faults[fault])
				lines.items[lines.count++] = (struct line){ &stacks->rows[i], fault };
	qsort(lines.items, lines.count, sizeof(*lines.items), worst_first);
	return lines;
}

/* --- drawing --------------------------------------------------------------------- */

static double percent(uint64_t part, uint64_t whole)
{
	return whole ? 100.0 * (double)part / (double)whole : 0;
}

static const char *path_of(const struct stacks *stacks, const struct row *row)
{
	const struct profile *profile = stacks->input->profile;

	return row->dso == PROFILE_NONE ? "[unknown]" :
					  profile_text(profile, profile_dso_at(profile, row->dso)->path);
}

static void add_remedy(const struct stacks *stacks, const struct line *line, struct strbuf *out)
{
	const struct profile *profile = stacks->input->profile;
	const struct row *row = line->row;
	const bool lacks_frames = line->fault == STACK_END_NO_CFI || line->fault == STACK_END_CHAIN;

	if (lacks_frames && run_time_code_is(profile, row->dso)) {
		strbuf_adds(out, run_time_remedy);
		if (row->run_time_advice)
			strbuf_addf(out, ": %s", row->run_time_advice);
	} else if (line->fault == STACK_END_NO_CFI && row->dso != PROFILE_NONE &&
		   strcmp(profile_text(profile, profile_dso_at(profile, row->dso)->name), "[uprobes]") == 0) {
		strbuf_adds(out, stacks->copied ? copied_return_probe_remedy : return_probe_remedy);
	} else if (stacks->copied && copied_remedies[line->fault]) {
		strbuf_adds(out, copied_remedies[line->fault]);
	} else {
		strbuf_adds(out, remedies[line->fault]);
	}
}

static void add_head(const struct stacks *stacks, struct strbuf *out)
{
	uint64_t with_stack = stacks->samples - stacks->chainless;

	strbuf_addf(out, "# Stacks: %" PRIu64 ", %" PRIu64 " (%.2f%%) reach the start of their thread",
		    with_stack, stacks->rooted, percent(stacks->rooted, with_stack));
	if (stacks->chainless)
		strbuf_addf(out, "; %" PRIu64 " samples have none", stacks->chainless);
	if (stacks->with_calls)
		strbuf_addf(out,
			    "\n# %" PRIu64 " (%.2f%%) have the calls that the CPU kept, and %" PRIu64
			    " of these callers beyond them",
			    stacks->with_calls, percent(stacks->with_calls, with_stack), stacks->with_more);
	if (stacks->joined)
		strbuf_addf(out, "\n# %" PRIu64 " (%.2f%%) were joined to another stack of their thread",
			    stacks->joined, percent(stacks->joined, with_stack));
	if (stacks->assumed)
		strbuf_addf(out,
			    "\n# %" PRIu64 " (%.2f%%) more do so by callers that are likely but not proved",
			    stacks->assumed, percent(stacks->assumed, with_stack));
	if (stacks->continued)
		strbuf_addf(out,
			    "\n# %" PRIu64
			    " (%.2f%%) of them are deeper than their dump, and the rest was read from the "
			    "process",
			    stacks->continued, percent(stacks->continued, with_stack));
	if (stacks->shortened)
		strbuf_addf(out,
			    "\n# %" PRIu64
			    " (%.2f%%) are deeper than a record has room for: [... N frames] stands for "
			    "frames in their middle",
			    stacks->shortened, percent(stacks->shortened, with_stack));
	if (stacks->guessed)
		strbuf_addf(out, "\n# %" PRIu64 " (%.2f%%) have guessed callers", stacks->guessed,
			    percent(stacks->guessed, with_stack));
	strbuf_addc(out, '\n');
}

static void add_line(const struct stacks *stacks, const struct line *line, struct strbuf *out)
{
	strbuf_addf(out, "  %10" PRIu64 "  %6.2f%%  %10" PRIu64 "  ", line_samples(line),
		    percent(line_samples(line), stacks->samples - stacks->chainless), line->row->samples);
	safe_text_add(out, path_of(stacks, line->row));
	strbuf_addf(out, "\n%36s", "");
	add_remedy(stacks, line, out);
	strbuf_addc(out, '\n');
}

static void add_lines(const struct stacks *stacks, const char *title, const struct lines *lines,
		      struct strbuf *out)
{
	if (!lines->count)
		return;
	strbuf_addf(out, "#\n# %s\n#     Stacks    Share  Of all with  Shared Object, and why\n#\n", title);
	for (size_t i = 0; i < lines->count; i++)
		add_line(stacks, &lines->items[i], out);
}

static bool is_faultless(const struct row *row)
{
	for (int fault = 0; fault < FAULT_COUNT; fault++)
		if (row->faults[fault])
			return false;
	return true;
}

static void add_faultless(const struct stacks *stacks, struct strbuf *out)
{
	uint32_t count = 0;

	for (uint32_t i = 0; i <= stacks->dso_count; i++)
		count += stacks->rows[i].samples && is_faultless(&stacks->rows[i]);
	if (count)
		strbuf_addf(out, "#\n# In %" PRIu32 " %s nothing is wrong\n", count,
			    count == 1 ? "shared object" : "shared objects");
}

static void render(const struct view_input *input, const void *options, struct strbuf *out)
{
	uint32_t dso_count = profile_dso_count(input->profile);
	struct stacks stacks = { .input = input,
				 .copied = input->facts && input->facts->has_copied_stacks,
				 .advice = run_time_advice_create(input->profile),
				 .dso_count = dso_count,
				 .rows = xcalloc((size_t)dso_count + 1, sizeof(*stacks.rows)) };
	struct lines cut, uncertain;

	(void)options;
	for (uint32_t i = 0; i <= dso_count; i++)
		stacks.rows[i].dso = i < dso_count ? i : PROFILE_NONE;
	count_samples(&stacks);
	cut = find_lines(&stacks, 0, FAULTS_THAT_CUT);
	uncertain = find_lines(&stacks, FAULTS_THAT_CUT, FAULT_COUNT);
	add_head(&stacks, out);
	add_lines(&stacks, "Stacks that end too soon, by the file of their last frame", &cut, out);
	add_lines(&stacks, "Stacks that continue, but less certainly, after a frame of", &uncertain, out);
	add_faultless(&stacks, out);
	free(cut.items);
	free(uncertain.items);
	free(stacks.rows);
	run_time_advice_destroy(stacks.advice);
}

const struct view view_stacks = { .name = "stacks", .render = render };
