/*
 * The text of perf script, a block for each sample, with names: for the many programs that read it. Unlike 'xprof script', which
 * prints a recording as it is read, this is made from the loaded profile: all filters apply, stacks are those of the report, and
 * imported profiles can be written, too. Several threads write blocks.
 */
#include <inttypes.h>
#include <stdlib.h>

#include "base/xalloc.h"
#include "report/export/export_format.h"
#include "report/export/export_rows.h"
#include "report/export/export_texts.h"
#include "report/rows/frame_text.h"
#include "text/safe_text.h"

/* A writer of blocks. */
struct script {
	const struct export_input *input;
	struct export_texts heads;  /* by sample of the profile */
	struct export_texts events; /* by event: the text after the period */
	struct export_texts lines;  /* by location * 2, plus 1 for a guessed frame */
};

static void add_name(struct strbuf *out, const struct view_input *view, const struct profile_stack *node)
{
	const struct profile_location *location = profile_location_at(view->profile, node->location);
	const struct frame *frame = &view->frames->frames[frame_table_of_node(view->frames, node)];

	if (frame->name == PROFILE_NONE) {
		strbuf_adds(out, "[unknown]");
		return;
	}
	safe_text_add(out, profile_text(view->profile, frame->name));
	/* Imported profiles do not say where functions begin. */
	if (frame->address && !frame->inlined && !location->no_address &&
	    location->address >= frame->address) {
		strbuf_adds(out, "+0x");
		strbuf_add_hex(out, location->address - frame->address, 0);
	}
}

static void add_frame(struct strbuf *out, const struct view_input *view, const struct profile_stack *node)
{
	const struct profile_location *location = profile_location_at(view->profile, node->location);
	const struct frame *frame = &view->frames->frames[frame_table_of_node(view->frames, node)];

	strbuf_addc(out, '\t');
	strbuf_add_hex(out, location->address, 16);
	strbuf_addc(out, ' ');
	add_name(out, view, node);
	if (frame->inlined) {
		strbuf_adds(out, " (inlined)\n");
		return;
	}
	strbuf_adds(out, " (");
	if (location->dso == PROFILE_NONE)
		strbuf_adds(out, "[unknown]");
	else
		safe_text_add(out, profile_text(view->profile,
						profile_dso_at(view->profile, location->dso)->path));
	strbuf_adds(out, ")\n");
}

static void add_kept_frame(struct script *script, struct strbuf *out, uint32_t node)
{
	const struct view_input *view = &script->input->view;
	const struct profile_stack *stack = profile_stack_at(view->profile, node);
	bool is_new;
	struct strbuf *line = export_texts_at(
		&script->lines, stack->location * 2 + (stack->origin == FRAME_GUESSED), &is_new);

	if (is_new)
		add_frame(line, view, stack);
	strbuf_add(out, line->bytes, line->size);
}

/* Names have no tabs and line breaks here, but may have blanks. */
static void add_head(struct strbuf *out, const struct profile *profile, const struct profile_sample *sample)
{
	const struct profile_thread *thread = profile_thread_at(profile, sample->thread);

	if (thread->comm && *profile_text(profile, thread->comm))
		safe_text_add(out, profile_text(profile, thread->comm));
	else
		strbuf_addf(out, ":%" PRId32,
			    (int32_t)thread->tid); /* as perf calls threads without a name */
	strbuf_addf(out, " %5" PRId32 "/%-5" PRId32 " ", (int32_t)thread->pid, (int32_t)thread->tid);
	if (sample->cpu != PROFILE_NONE)
		strbuf_addf(out, "[%03" PRIu32 "] ", sample->cpu);
}

static void add_first_line(struct script *script, struct strbuf *out, const struct logged_sample *logged)
{
	const struct profile *profile = script->input->view.profile;
	const struct profile_sample *sample = profile_sample_at(profile, logged->sample);
	struct strbuf *head, *event;
	bool is_new;

	head = export_texts_at(&script->heads, logged->sample, &is_new);
	if (is_new)
		add_head(head, profile, sample);
	strbuf_add(out, head->bytes, head->size);
	if (logged->time_ns != SAMPLE_LOG_NO_TIME) {
		strbuf_add_decimal(out, logged->time_ns / 1000000000, 5);
		strbuf_addc(out, '.');
		strbuf_add_decimal_zeros(out, logged->time_ns % 1000000000, 9);
		strbuf_adds(out, ": ");
	}
	strbuf_add_decimal(out, logged->weight, 10);
	event = export_texts_at(&script->events, sample->event, &is_new);
	if (is_new) {
		strbuf_addc(event, ' ');
		safe_text_add(event, profile_text(profile, profile_event_at(profile, sample->event)->name));
		strbuf_adds(event, ": \n");
	}
	strbuf_add(out, event->bytes, event->size);
}

static void add_block(void *writer, struct strbuf *out, const struct logged_sample *logged)
{
	struct script *script = writer;
	const struct profile *profile = script->input->view.profile;

	add_first_line(script, out, logged);
	for (uint32_t node = logged->stack; node != PROFILE_NONE;
	     node = profile_stack_at(profile, node)->parent)
		add_kept_frame(script, out, node);
	strbuf_addc(out, '\n');
}

static void script_init(void *writer, const struct export_input *input)
{
	struct script *script = writer;

	*script = (struct script){ .input = input };
	export_texts_init(&script->heads);
	export_texts_init(&script->events);
	export_texts_init(&script->lines);
}

static void script_fini(void *writer)
{
	struct script *script = writer;

	export_texts_fini(&script->heads);
	export_texts_fini(&script->events);
	export_texts_fini(&script->lines);
}

static void write_perf_script(const struct export_input *input, struct export_out *out)
{
	static const struct export_row_writer writer = { sizeof(struct script), script_init, script_fini,
							 add_block };

	export_rows_write(input, out, &writer);
}

const struct export_format export_perf_script = {
	.name = "perf-script",
	.help = "the text of perf script, for the many programs that read it",
	.file = "profile.perf-script.txt",
	.suffixes = ".perf .perf-script.txt",
	.traits = EXPORT_TIMES,
	.write = write_perf_script,
};
