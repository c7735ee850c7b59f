/*
 * Comma-separated values (RFC 4180), a row for each sample, for spreadsheets and data frames: time, event, who was sampled,
 * period, and the stack. Texts that many rows have are kept. Several threads write rows.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"
#include "report/export/export_format.h"
#include "report/export/export_rows.h"
#include "report/export/export_texts.h"
#include "report/rows/frame_text.h"
#include "text/safe_text.h"

/* A writer of rows. */
struct csv {
	const struct export_input *input;
	struct export_texts heads;  /* by sample of the profile: the text before the period */
	struct export_texts tails;  /* by stack: the text after it */
	struct export_texts frames; /* by frame: its text */
	struct strbuf scratch;
	uint32_t *path; /* nodes of a stack */
	size_t path_capacity;
};

/* In quotes if necessary, with quotes inside doubled. */
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
	bool is_new;
	struct strbuf *text = export_texts_at(&csv->frames, number, &is_new);

	if (is_new) {
		frame_text_add(text, view->profile, &view->frames->frames[number], false);
		for (size_t i = 0; i < text->size; i++)
			if (text->bytes[i] == ';')
				text->bytes[i] = ':';
	}
	return text->bytes;
}

/* Outermost caller first, separated by semicolons, as in collapsed stacks. */
static void add_stack(struct csv *csv, struct strbuf *out, uint32_t stack)
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
	add_field(out, csv->scratch.bytes);
}

static void add_safe(struct csv *csv, struct strbuf *out, const char *text)
{
	strbuf_reset(&csv->scratch);
	safe_text_add(&csv->scratch, text);
	add_field(out, csv->scratch.bytes);
	strbuf_addc(out, ',');
}

static void add_leaf(struct csv *csv, struct strbuf *out, uint32_t stack)
{
	const struct view_input *view = &csv->input->view;
	const uint32_t leaf = profile_compiled_stack(view->profile, stack);
	const struct frame *frame;

	if (leaf == PROFILE_NONE) {
		strbuf_adds(out, ",,");
		return;
	}
	frame = &view->frames->frames[frame_table_of_stack(view->frames, view->profile, leaf)];
	add_field(out, frame_text(csv, leaf));
	strbuf_addc(out, ',');
	add_safe(csv, out,
		 frame->dso_name == PROFILE_NONE ? "" : profile_text(view->profile, frame->dso_name));
}

/* The columns from the event to the cgroup. */
static void add_head(struct csv *csv, struct strbuf *out, const struct profile_sample *sample)
{
	const struct profile *profile = csv->input->view.profile;
	const struct profile_thread *thread = profile_thread_at(profile, sample->thread);

	strbuf_addc(out, ',');
	add_safe(csv, out, profile_text(profile, profile_event_at(profile, sample->event)->name));
	add_safe(csv, out, profile_text(profile, thread->comm));
	strbuf_addf(out, "%" PRId32 ",%" PRId32 ",", (int32_t)thread->pid, (int32_t)thread->tid);
	if (sample->cpu != PROFILE_NONE)
		strbuf_add_decimal(out, sample->cpu, 0);
	strbuf_addc(out, ',');
	add_safe(csv, out, profile_text(profile, sample->cgroup));
}

/* The function and the columns after it. */
static void add_tail(struct csv *csv, struct strbuf *out, uint32_t stack)
{
	strbuf_addc(out, ',');
	add_leaf(csv, out, stack);
	add_stack(csv, out, stack);
	strbuf_adds(out, "\r\n");
}

static void add_row(void *writer, struct strbuf *out, const struct logged_sample *logged)
{
	struct csv *csv = writer;
	const struct profile_sample *sample = profile_sample_at(csv->input->view.profile, logged->sample);
	struct strbuf *text;
	bool is_new;

	if (logged->time_ns != SAMPLE_LOG_NO_TIME) {
		strbuf_add_decimal(out, logged->time_ns / 1000000000, 0);
		strbuf_addc(out, '.');
		strbuf_add_decimal_zeros(out, logged->time_ns % 1000000000, 9);
	}
	text = export_texts_at(&csv->heads, logged->sample, &is_new);
	if (is_new)
		add_head(csv, text, sample);
	strbuf_add(out, text->bytes, text->size);
	strbuf_add_decimal(out, logged->weight, 0);
	text = export_texts_at(&csv->tails, logged->stack, &is_new);
	if (is_new)
		add_tail(csv, text, logged->stack);
	strbuf_add(out, text->bytes, text->size);
}

static void csv_init(void *writer, const struct export_input *input)
{
	struct csv *csv = writer;

	*csv = (struct csv){ .input = input };
	strbuf_init(&csv->scratch);
	export_texts_init(&csv->heads);
	export_texts_init(&csv->tails);
	export_texts_init(&csv->frames);
}

static void csv_fini(void *writer)
{
	struct csv *csv = writer;

	strbuf_fini(&csv->scratch);
	export_texts_fini(&csv->heads);
	export_texts_fini(&csv->tails);
	export_texts_fini(&csv->frames);
	free(csv->path);
}

static void write_csv(const struct export_input *input, struct export_out *out)
{
	static const struct export_row_writer writer = { sizeof(struct csv), csv_init, csv_fini, add_row };

	strbuf_adds(&out->text, "time,event,comm,pid,tid,cpu,cgroup,period,symbol,dso,stack\r\n");
	export_rows_write(input, out, &writer);
}

const struct export_format export_csv = {
	.name = "csv",
	.help = "one row per sample, for spreadsheets and data frames",
	.file = "profile.csv",
	.suffixes = ".csv",
	.traits = EXPORT_TIMES,
	.write = write_csv,
};
