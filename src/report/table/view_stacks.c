#include "report/table/view_stacks.h"

#include <inttypes.h>
#include <stdlib.h>

#include "base/xalloc.h"
#include "text/safe_text.h"

/* The columns: why a stack has no further caller. */
static const struct reason {
	enum stack_end end;
	const char *title;
} reasons[] = {
	{ STACK_END_CHAIN, "No FP" },     { STACK_END_UNNAMED, "Unnamed" },
	{ STACK_END_DUMP, "Dump" },       { STACK_END_OUT_OF_REACH, "Far" },
	{ STACK_END_DEPTH, "Depth" },     { STACK_END_NO_CFI, "No CFI" },
	{ STACK_END_BAD_CFI, "Bad CFI" }, { STACK_END_BAD_RETURN, "Bad RA" },
	{ STACK_END_UNKNOWN, "Unknown" },
};

enum { REASON_COUNT = sizeof(reasons) / sizeof(*reasons) };

struct row {
	uint32_t dso; /* PROFILE_NONE: where nothing was mapped */
	uint64_t samples, rooted, broken, joined, guessed, by_code, unproved;
	uint64_t by_reason[REASON_COUNT];
	uint32_t last_sample; /* + 1: the one that was counted last, so that each is counted once */
};

struct stacks {
	const struct view_input *input;
	struct row *rows; /* by DSO; the last one is for no DSO */
	uint32_t dso_count;
	uint64_t samples, chainless, rooted, joined, guessed, shortened;
};

/* What a sample's stack passes through, from its root down. */
struct passage {
	struct row *outermost;
	struct row *
		short_dump; /* the outermost that was not joined: whose dump was too short; NULL: nothing was joined */
	bool shortened; /* the recorder left out frames in its middle */
	struct row *
		led_to_guess; /* the outermost that was not guessed: from where the way was lost; NULL: nothing was */
};

static struct row *row_of(struct stacks *stacks, uint32_t stack)
{
	const struct profile *profile = stacks->input->profile;
	uint32_t dso = profile_location_at(profile, profile_stack_at(profile, stack)->location)->dso;

	return &stacks->rows[dso == PROFILE_NONE ? stacks->dso_count : dso];
}

/* Counts the sample for each DSO of its stack. */
static struct passage count_frames(struct stacks *stacks, const struct profile_sample *sample,
				   uint32_t number, bool whole)
{
	const struct profile *profile = stacks->input->profile;
	struct passage passage = { .outermost = NULL };
	enum frame_origin inner = FRAME_SAMPLED;

	for (uint32_t stack = sample->stack; stack != PROFILE_NONE;
	     stack = profile_stack_at(profile, stack)->parent) {
		enum frame_origin origin = (enum frame_origin)profile_stack_at(profile, stack)->origin;
		struct row *row = row_of(stacks, stack);

		if (origin == FRAME_ELIDED) { /* is in no file */
			passage.shortened = true;
			continue;
		}
		if (row->last_sample != number + 1) {
			row->samples += sample->count;
			row->rooted += whole ? sample->count : 0;
		}
		row->last_sample = number + 1;
		if (origin == FRAME_POINTER)
			row->unproved += sample->count;
		if (origin == FRAME_CODE)
			row->by_code += sample->count;
		if (origin == FRAME_JOINED && inner != FRAME_JOINED && !passage.short_dump)
			passage.short_dump = passage.outermost;
		if (origin == FRAME_GUESSED && inner != FRAME_GUESSED && !passage.led_to_guess)
			passage.led_to_guess = passage.outermost;
		inner = origin;
		passage.outermost = row;
	}
	return passage;
}

static void count_end(struct row *row, const struct profile_sample *sample)
{
	row->broken += sample->count;
	for (size_t i = 0; i < REASON_COUNT; i++)
		if (reasons[i].end == (enum stack_end)sample->end)
			row->by_reason[i] += sample->count;
}

static bool has_guesses(const struct profile *profile, uint32_t stack)
{
	/* What stands on a guess is one, so the outermost frames tell; a signal's frame may be between. */
	for (; stack != PROFILE_NONE; stack = profile_stack_at(profile, stack)->parent)
		if (profile_stack_at(profile, stack)->origin == FRAME_GUESSED)
			return true;
	return false;
}

static void count_sample(struct stacks *stacks, uint32_t number)
{
	const struct profile_sample *sample = profile_sample_at(stacks->input->profile, number);
	struct passage passage;
	bool guessed, whole;

	stacks->samples += sample->count;
	if (sample->end == STACK_END_NO_CHAIN) {
		stacks->chainless += sample->count;
		return;
	}
	guessed = has_guesses(stacks->input->profile, sample->stack);
	whole = sample->end == STACK_END_ROOT && !guessed;
	passage = count_frames(stacks, sample, number, whole);
	stacks->shortened += passage.shortened ? sample->count : 0;
	stacks->rooted += whole ? sample->count : 0;
	if (guessed) {
		stacks->guessed += sample->count;
		if (passage.led_to_guess)
			passage.led_to_guess->guessed += sample->count;
	}
	if (sample->end == STACK_END_JOINED) {
		stacks->joined += sample->count;
		if (passage.short_dump)
			passage.short_dump->joined += sample->count;
	} else if (sample->end != STACK_END_ROOT && passage.outermost) {
		count_end(passage.outermost, sample);
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

/* --- drawing --------------------------------------------------------------------- */

/* Those that break most stacks first, then those that are in most. */
static int compare(const void *a, const void *b)
{
	const struct row *left = a, *right = b;

	if (left->broken != right->broken)
		return left->broken > right->broken ? -1 : 1;
	if (left->joined + left->guessed != right->joined + right->guessed)
		return left->joined + left->guessed > right->joined + right->guessed ? -1 : 1;
	if (left->samples != right->samples)
		return left->samples > right->samples ? -1 : 1;
	return left->dso < right->dso ? -1 : left->dso > right->dso;
}

static double percent(uint64_t part, uint64_t whole)
{
	return whole ? 100.0 * (double)part / (double)whole : 0;
}

static void add_head(const struct stacks *stacks, struct strbuf *out)
{
	uint64_t with_stack = stacks->samples - stacks->chainless;

	strbuf_addf(out, "# Stacks: %" PRIu64 ", %" PRIu64 " (%.2f%%) reach the start of their thread",
		    with_stack, stacks->rooted, percent(stacks->rooted, with_stack));
	if (stacks->chainless)
		strbuf_addf(out, "; %" PRIu64 " samples have none", stacks->chainless);
	if (stacks->joined)
		strbuf_addf(out, "\n# %" PRIu64 " (%.2f%%) were joined to another stack of their thread",
			    stacks->joined, percent(stacks->joined, with_stack));
	if (stacks->shortened)
		strbuf_addf(out,
			    "\n# %" PRIu64
			    " (%.2f%%) are deeper than a record has room for: [... N frames] stands for "
			    "frames in their middle",
			    stacks->shortened, percent(stacks->shortened, with_stack));
	if (stacks->guessed)
		strbuf_addf(out, "\n# %" PRIu64 " (%.2f%%) have guessed callers", stacks->guessed,
			    percent(stacks->guessed, with_stack));
	strbuf_adds(out, "\n#\n#    In samples      Rooted   End there   Share");
	for (size_t i = 0; i < REASON_COUNT; i++)
		strbuf_addf(out, "  %8s", reasons[i].title);
	strbuf_adds(out, "    Joined   Guessed   By Code  Unproved  Shared Object\n");
}

static void add_row(const struct stacks *stacks, const struct row *row, struct strbuf *out)
{
	const struct profile *profile = stacks->input->profile;

	strbuf_addf(out, "  %12" PRIu64 "  %10" PRIu64 "  %10" PRIu64 "  %5.1f%%", row->samples, row->rooted,
		    row->broken, percent(row->broken, row->samples));
	for (size_t i = 0; i < REASON_COUNT; i++)
		strbuf_addf(out, "  %8" PRIu64, row->by_reason[i]);
	strbuf_addf(out, "  %8" PRIu64 "  %8" PRIu64 "  %8" PRIu64 "  %8" PRIu64 "  ", row->joined,
		    row->guessed, row->by_code, row->unproved);
	safe_text_add(out, row->dso == PROFILE_NONE ?
				   "[unknown]" :
				   profile_text(profile, profile_dso_at(profile, row->dso)->path));
	strbuf_addc(out, '\n');
}

static void render(const struct view_input *input, const void *options, struct strbuf *out)
{
	uint32_t dso_count = profile_dso_count(input->profile);
	struct stacks stacks = { .input = input,
				 .dso_count = dso_count,
				 .rows = xcalloc((size_t)dso_count + 1, sizeof(*stacks.rows)) };

	(void)options;
	for (uint32_t i = 0; i <= dso_count; i++)
		stacks.rows[i].dso = i < dso_count ? i : PROFILE_NONE;
	count_samples(&stacks);
	add_head(&stacks, out);
	qsort(stacks.rows, (size_t)dso_count + 1, sizeof(*stacks.rows), compare);
	for (uint32_t i = 0; i <= dso_count && stacks.rows[i].samples; i++)
		add_row(&stacks, &stacks.rows[i], out);
	free(stacks.rows);
}

const struct view view_stacks = { .name = "stacks", .render = render };
