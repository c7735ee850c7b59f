/*
 * The text of perf script, a block for each sample, with names: for the many programs that read it. Unlike 'xprof script', which
 * prints a recording as it is read, this is made from the loaded profile: all filters apply, stacks are those of the report, and
 * imported profiles can be written, too.
 */
#include <inttypes.h>
#include <stdlib.h>

#include "base/xalloc.h"
#include "report/export/export_format.h"
#include "report/export/export_samples.h"
#include "report/rows/frame_text.h"
#include "text/safe_text.h"

enum { MOST_KEPT_BYTES = 64 * 1024 * 1024 }; /* of lines; further ones are made anew for each sample */

struct script {
	const struct export_input *input;
	struct strbuf *out;
	struct strbuf *lines; /* by location * 2, plus 1 for a guessed frame; made when they are needed */
	size_t kept_bytes;
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

static void add_kept_frame(struct script *script, uint32_t node)
{
	const struct view_input *view = &script->input->view;
	const struct profile_stack *stack = profile_stack_at(view->profile, node);
	struct strbuf *line = &script->lines[(size_t)stack->location * 2 + (stack->origin == FRAME_GUESSED)];

	if (line->capacity) {
		strbuf_add(script->out, line->bytes, line->size);
	} else if (script->kept_bytes >= MOST_KEPT_BYTES) {
		add_frame(script->out, view, stack);
	} else {
		strbuf_init(line);
		add_frame(line, view, stack);
		script->kept_bytes += line->capacity;
		strbuf_add(script->out, line->bytes, line->size);
	}
}

/* Names have no tabs and line breaks here, but may have blanks. */
static void add_head(struct strbuf *out, const struct profile *profile, const struct logged_sample *logged)
{
	const struct profile_sample *sample = profile_sample_at(profile, logged->sample);
	const struct profile_thread *thread = profile_thread_at(profile, sample->thread);

	if (thread->comm && *profile_text(profile, thread->comm))
		safe_text_add(out, profile_text(profile, thread->comm));
	else
		strbuf_addf(out, ":%" PRId32,
			    (int32_t)thread->tid); /* as perf calls threads without a name */
	strbuf_addf(out, " %5" PRId32 "/%-5" PRId32 " ", (int32_t)thread->pid, (int32_t)thread->tid);
	if (sample->cpu != PROFILE_NONE)
		strbuf_addf(out, "[%03" PRIu32 "] ", sample->cpu);
	if (logged->time_ns != SAMPLE_LOG_NO_TIME) {
		strbuf_add_decimal(out, logged->time_ns / 1000000000, 5);
		strbuf_addc(out, '.');
		strbuf_add_decimal_zeros(out, logged->time_ns % 1000000000, 9);
		strbuf_adds(out, ": ");
	}
	strbuf_add_decimal(out, logged->weight, 10);
	strbuf_addc(out, ' ');
	safe_text_add(out, profile_text(profile, profile_event_at(profile, sample->event)->name));
	strbuf_adds(out, ": \n");
}

static void write_perf_script(const struct export_input *input, struct export_out *out)
{
	const struct profile *profile = input->view.profile;
	const size_t slots = ((size_t)profile_location_count(profile) + 1) * 2;
	struct script script = { .input = input,
				 .out = &out->text,
				 .lines = xcalloc(slots, sizeof(*script.lines)) };
	bool *chosen = export_samples_chosen(input);

	for (size_t i = 0; i < sample_log_count(input->log); i++) {
		const struct logged_sample *logged = sample_log_at(input->log, i);
		uint32_t node = profile_sample_at(profile, logged->sample)->stack;

		if (!chosen[logged->sample])
			continue;
		add_head(&out->text, profile, logged);
		for (; node != PROFILE_NONE; node = profile_stack_at(profile, node)->parent)
			add_kept_frame(&script, node);
		strbuf_addc(&out->text, '\n');
		export_out_flow(out);
	}
	for (size_t i = 0; i < slots; i++)
		strbuf_fini(&script.lines[i]);
	free(script.lines);
	free(chosen);
}

const struct export_format export_perf_script = {
	.name = "perf-script",
	.help = "the text of perf script, for the many programs that read it",
	.file = "profile.perf-script.txt",
	.suffixes = ".perf .perf-script.txt",
	.traits = EXPORT_TIMES,
	.write = write_perf_script,
};
