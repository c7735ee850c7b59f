/*
 * Comma-separated values as RFC 4180 has them, a row for each sample, for spreadsheets and data frames: time, event, who
 * was sampled, period, and the stack. Texts of stacks are made once each and kept as long as they are few.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"
#include "report/export/export_format.h"
#include "report/export/export_samples.h"
#include "report/rows/frame_text.h"
#include "text/safe_text.h"

struct csv {
	const struct export_input *input;
	struct export_out *out;
	struct strbuf *frames; /* by frame: its text, made when it is needed */
	struct strbuf scratch;
	uint32_t *path; /* nodes of a stack */
	size_t path_capacity;
};

/* In quotes where it has to be; quotes within are doubled. */
static void add_field(struct strbuf *out, const char *text)
{
	if (!text[strcspn(text, "\",\r\n")]) {
		strbuf_adds(out, text);
		return;
	}
	strbuf_addc(out, '"');
	for (; *text; text++) {
		if (*text == '"')
			strbuf_addc(out, '"');
		strbuf_addc(out, *text);
	}
	strbuf_addc(out, '"');
}

static const char *frame_text(struct csv *csv, uint32_t stack)
{
	const struct view_input *view = &csv->input->view;
	const uint32_t number = frame_table_of_stack(view->frames, view->profile, stack);
	struct strbuf *text = &csv->frames[number];

	if (!text->capacity) {
		strbuf_init(text);
		frame_text_add(text, view->profile, &view->frames->frames[number], false);
		for (size_t i = 0; i < text->size; i++)
			if (text->bytes[i] == ';')
				text->bytes[i] = ':';
	}
	return text->bytes;
}

/* Outermost caller first, separated by semicolons, as in collapsed stacks. */
static void add_stack(struct csv *csv, uint32_t stack)
{
	const struct profile *profile = csv->input->view.profile;
	size_t depth = 0;

	strbuf_reset(&csv->scratch);
	for (; stack != PROFILE_NONE; stack = profile_stack_at(profile, stack)->parent) {
		csv->path = array_grow(csv->path, &csv->path_capacity, depth + 1, sizeof(*csv->path));
		csv->path[depth++] = stack;
	}
	while (depth--) {
		strbuf_adds(&csv->scratch, frame_text(csv, csv->path[depth]));
		if (depth)
			strbuf_addc(&csv->scratch, ';');
	}
	add_field(&csv->out->text, csv->scratch.bytes ? csv->scratch.bytes : "");
}

static void add_safe(struct csv *csv, const char *text)
{
	strbuf_reset(&csv->scratch);
	safe_text_add(&csv->scratch, text);
	add_field(&csv->out->text, csv->scratch.bytes ? csv->scratch.bytes : "");
	strbuf_addc(&csv->out->text, ',');
}

static void add_leaf(struct csv *csv, const struct profile_sample *sample)
{
	const struct view_input *view = &csv->input->view;
	const uint32_t leaf = profile_compiled_stack(view->profile, sample->stack);
	const struct frame *frame;

	if (leaf == PROFILE_NONE) {
		strbuf_adds(&csv->out->text, ",,");
		return;
	}
	frame = &view->frames->frames[frame_table_of_stack(view->frames, view->profile, leaf)];
	add_field(&csv->out->text, frame_text(csv, leaf));
	strbuf_addc(&csv->out->text, ',');
	add_safe(csv, frame->dso_name == PROFILE_NONE ? "" : profile_text(view->profile, frame->dso_name));
}

static void add_row(struct csv *csv, const struct logged_sample *logged)
{
	const struct profile *profile = csv->input->view.profile;
	const struct profile_sample *sample = profile_sample_at(profile, logged->sample);
	const struct profile_thread *thread = profile_thread_at(profile, sample->thread);
	struct strbuf *out = &csv->out->text;

	if (logged->time_ns != SAMPLE_LOG_NO_TIME) {
		strbuf_add_decimal(out, logged->time_ns / 1000000000, 0);
		strbuf_addc(out, '.');
		strbuf_add_decimal_zeros(out, logged->time_ns % 1000000000, 9);
	}
	strbuf_addc(out, ',');
	add_safe(csv, profile_text(profile, profile_event_at(profile, sample->event)->name));
	add_safe(csv, profile_text(profile, thread->comm));
	strbuf_addf(out, "%" PRId32 ",%" PRId32 ",", (int32_t)thread->pid, (int32_t)thread->tid);
	if (sample->cpu != PROFILE_NONE)
		strbuf_add_decimal(out, sample->cpu, 0);
	strbuf_addc(out, ',');
	add_safe(csv, profile_text(profile, sample->cgroup));
	strbuf_add_decimal(out, logged->weight, 0);
	strbuf_addc(out, ',');
	add_leaf(csv, sample);
	add_stack(csv, sample->stack);
	strbuf_adds(out, "\r\n");
	export_out_flow(csv->out);
}

static void write_csv(const struct export_input *input, struct export_out *out)
{
	struct csv csv = { .input = input, .out = out };
	bool *chosen = export_samples_chosen(input);

	csv.frames = xcalloc((size_t)input->view.frames->count + 1, sizeof(*csv.frames));
	strbuf_init(&csv.scratch);
	strbuf_adds(&out->text, "time,event,comm,pid,tid,cpu,cgroup,period,symbol,dso,stack\r\n");
	for (size_t i = 0; i < sample_log_count(input->log); i++)
		if (chosen[sample_log_at(input->log, i)->sample])
			add_row(&csv, sample_log_at(input->log, i));
	for (uint32_t i = 0; i < input->view.frames->count; i++)
		strbuf_fini(&csv.frames[i]);
	strbuf_fini(&csv.scratch);
	free(csv.frames);
	free(csv.path);
	free(chosen);
}

const struct export_format export_csv = {
	.name = "csv",
	.help = "a row a sample, for spreadsheets and data frames",
	.file = "profile.csv",
	.suffixes = ".csv",
	.traits = EXPORT_TIMES,
	.write = write_csv,
};
