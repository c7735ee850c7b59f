/*
 * The whole report for programs: one JSON object, described in src/report/table/README.md, with the numbers of the table.
 * Frames are written first, so that stacks can refer to them by number: mark_frames() finds those that occur in the
 * stacks shown, add_frames() numbers and prints them. Then add_event() prints each event, its rows out of a hist and its
 * stacks out of the profile. Names and words are part of the schema: see JSON_SCHEMA_VERSION.
 */
#include <stdlib.h>

#include "base/xalloc.h"
#include "report/rows/frame_text.h"
#include "report/rows/hist.h"
#include "report/table/table_options.h"
#include "report/view/view.h"
#include "text/json_writer.h"

enum { JSON_SCHEMA_VERSION = 1 }; /* changes when existing members change, not when members are added */

struct report {
	const struct view_input *input;
	const struct table_options *options;
	struct json_writer json;
	uint32_t event;          /* the event that is being written */
	uint32_t *frame_numbers; /* by frame: its index in "frames"; PROFILE_NONE: in no stack that is shown */
};

/* Values of the schema: never renamed. */
static const char *const end_names[STACK_END_COUNT] = {
	[STACK_END_UNKNOWN] = "unknown", [STACK_END_NO_CHAIN] = "no_chain",
	[STACK_END_ROOT] = "root",       [STACK_END_CHAIN] = "chain",
	[STACK_END_UNNAMED] = "unnamed", [STACK_END_DEPTH] = "depth",
	[STACK_END_DUMP] = "dump",       [STACK_END_NO_CFI] = "no_cfi",
	[STACK_END_BAD_CFI] = "bad_cfi", [STACK_END_BAD_RETURN] = "bad_return",
	[STACK_END_JOINED] = "joined",   [STACK_END_OUT_OF_REACH] = "out_of_reach",
	[STACK_END_ASSUMED] = "assumed", [STACK_END_REPLACED] = "replaced",
};

static const char *text(const struct report *report, uint32_t string)
{
	return string == PROFILE_NONE ? "[unknown]" : profile_text(report->input->profile, string);
}

static void add_optional(struct report *report, const char *name, const char *value)
{
	if (value)
		json_string(&report->json, name, value);
}

static void add_header(struct report *report)
{
	const struct profile_facts *facts = report->input->facts;
	size_t i;

	if (!facts)
		return;
	json_begin_object(&report->json, "header");
	add_optional(report, "file", facts->path);
	add_optional(report, "hostname", facts->hostname);
	add_optional(report, "os_release", facts->os_release);
	add_optional(report, "arch", facts->arch);
	add_optional(report, "recorder", facts->recorder);
	if (facts->command_line_count) {
		json_begin_array(&report->json, "command_line");
		for (i = 0; i < facts->command_line_count; i++)
			json_string(&report->json, NULL, facts->command_line[i]);
		json_end_array(&report->json);
	}
	json_end_object(&report->json);
}

static void add_sums(struct report *report, const char *name, uint64_t samples, uint64_t period)
{
	json_begin_object(&report->json, name);
	json_unsigned(&report->json, "samples", samples);
	json_unsigned(&report->json, "period", period);
	json_end_object(&report->json);
}

/* A row, a frame or a stack is a line of its own, so that the text can be searched, compared and cut. */

/* --- rows -------------------------------------------------------------------------------------------- */

static void add_frame_members(struct report *report, const struct frame *frame)
{
	if (frame->name != PROFILE_NONE)
		json_string(&report->json, "symbol", text(report, frame->name));
	if (frame->nameless)
		json_bool(&report->json, "nameless", true);
	if (!frame->no_address)
		json_hexadecimal(&report->json, "address", frame->address);
	json_string(&report->json, "mode", frame_mode_name(frame->mode));
	if (frame->inlined)
		json_bool(&report->json, "inlined", true);
	if (frame->guessed)
		json_bool(&report->json, "guessed", true);
}

static void add_key(struct report *report, enum column column, uint32_t key)
{
	switch (column) {
	case COLUMN_COMM:
	case COLUMN_SRCLINE:
	case COLUMN_SRCFILE:
	case COLUMN_PARENT:
	case COLUMN_CGROUP:
	case COLUMN_DSO: json_string(&report->json, column_name(column), text(report, key)); break;
	case COLUMN_SYMBOL:
		if (key != PROFILE_NONE)
			add_frame_members(report, &report->input->frames->frames[key]);
		break;
	case COLUMN_CPU:
		if (key != PROFILE_NONE)
			json_unsigned(&report->json, "cpu", key);
		break;
	case COLUMN_TGID: json_unsigned(&report->json, "pid", key); break;
	default: json_unsigned(&report->json, "tid", key); break;
	}
}

static void add_sample_keys(struct report *report, const struct hist *hist, const struct hist_row *row)
{
	const struct column_list *outputs = &report->options->layout.outputs;

	for (size_t i = 0; i < outputs->count; i++) {
		const enum column column = outputs->items[i];
		const char *name = column_is_field(column) ?
					   sample_keys_field_name(report->input->keys, report->event,
								  column_sample_key(column)) :
					   column_name(column);

		if (column_is_sample_key(column) && name)
			json_string(&report->json, name, hist_row_text(hist, row, column));
	}
}

static void add_row(struct report *report, const struct hist *hist, const struct hist_row *row)
{
	const struct column_list *keys = &report->options->layout.keys;
	size_t i;

	json_begin_line(&report->json);
	add_sums(report, "self", row->self_count, row->self_weight);
	if (report->options->children)
		add_sums(report, "children", row->total_count, row->total_weight);
	for (i = 0; i < keys->count; i++) {
		if (keys->items[i] == COLUMN_KEY_SET)
			add_sample_keys(report, hist, row);
		else
			add_key(report, keys->items[i], row->keys[i]);
	}
	json_end_object(&report->json);
}

static void add_rows(struct report *report, const struct hist *hist)
{
	uint32_t shown = 0, i;

	json_begin_array(&report->json, "rows");
	for (i = 0; i < hist->row_count; i++) {
		if (hist_row_percent(hist, &hist->rows[i]) < report->options->percent_limit)
			continue;
		if (report->options->top && shown++ == report->options->top)
			break;
		add_row(report, hist, &hist->rows[i]);
	}
	json_end_array(&report->json);
}

/* --- stacks ------------------------------------------------------------------------------------------ */

static uint32_t frame_of(const struct report *report, uint32_t stack)
{
	return frame_table_of_stack(report->input->frames, report->input->profile, stack);
}

/* Root first. */
static void add_stack_frames(struct report *report, uint32_t leaf)
{
	const struct profile *profile = report->input->profile;
	uint32_t *frames = NULL, stack;
	size_t count = 0, capacity = 0;

	for (stack = leaf; stack != PROFILE_NONE; stack = profile_stack_at(profile, stack)->parent)
		*ARRAY_ADD(frames, count, capacity) = report->frame_numbers[frame_of(report, stack)];
	json_begin_array(&report->json, "frames");
	while (count--)
		json_unsigned(&report->json, NULL, frames[count]);
	json_end_array(&report->json);
	free(frames);
}

static void add_stack(struct report *report, const struct profile_sample *sample)
{
	const struct profile_thread *thread = profile_thread_at(report->input->profile, sample->thread);

	json_begin_line(&report->json);
	json_unsigned(&report->json, "samples", sample->count);
	json_unsigned(&report->json, "period", sample->weight);
	json_string(&report->json, "comm", text(report, thread->comm));
	json_unsigned(&report->json, "pid", thread->pid);
	json_unsigned(&report->json, "tid", thread->tid);
	if (sample->cpu != PROFILE_NONE)
		json_unsigned(&report->json, "cpu", sample->cpu);
	json_string(&report->json, "end",
		    sample->end < STACK_END_COUNT ? end_names[sample->end] : end_names[STACK_END_UNKNOWN]);
	add_stack_frames(report, sample->stack);
	json_end_object(&report->json);
}

static bool is_shown(const struct report *report, const struct profile_sample *sample)
{
	return selection_has_event(report->input, sample->event) &&
	       filter_passes(&report->input->selection->filter, report->input->profile, sample);
}

static void add_stacks(struct report *report, uint32_t event)
{
	const struct profile *profile = report->input->profile;
	uint32_t count = profile_sample_count(profile), i;

	json_begin_array(&report->json, "stacks");
	for (i = 0; i < count; i++) {
		const struct profile_sample *sample = profile_sample_at(profile, i);

		if (sample->event == event && is_shown(report, sample))
			add_stack(report, sample);
	}
	json_end_array(&report->json);
}

static void add_event(struct report *report, uint32_t number)
{
	const struct profile *profile = report->input->profile;
	const struct profile_event *event = profile_event_at(profile, number);
	struct hist_options hist_options = {
		.layout = &report->options->layout,
		.children = report->options->children,
		.relative = report->input->selection->relative,
		.callers_on_top = report->options->children,
		.order = CALL_ORDER_CALLER,
		.sources = report->input->sources,
		.parents = report->input->parents,
		.keys = report->input->keys,
		.rows = report->input->selection->rows,
	};
	struct hist hist;

	report->event = number;
	hist_init(&hist, profile, report->input->frames, number, &report->input->selection->filter,
		  &hist_options);
	json_begin_object(&report->json, NULL);
	json_string(&report->json, "name", text(report, event->name));
	json_unsigned(&report->json, event->frequency ? "frequency_hz" : "fixed_period",
		      event->period_or_freq);
	add_sums(report, "total", hist.count, hist.weight);
	add_sums(report, "shown", hist.shown_count, hist.shown_weight);
	add_rows(report, &hist);
	add_stacks(report, number);
	json_end_object(&report->json);
	hist_fini(&hist);
}

/* --- the frames that stacks refer to ----------------------------------------------------------------- */

/* Marks each frame of the stacks that are shown; visits each node once. */
static void mark_frames(struct report *report)
{
	const struct profile *profile = report->input->profile;
	uint32_t samples = profile_sample_count(profile), i, stack;
	bool *seen = xcalloc((size_t)profile_stack_count(profile) + 1, sizeof(*seen));

	for (i = 0; i < samples; i++) {
		if (!is_shown(report, profile_sample_at(profile, i)))
			continue;
		stack = profile_sample_at(profile, i)->stack;
		for (; stack != PROFILE_NONE && !seen[stack];
		     stack = profile_stack_at(profile, stack)->parent) {
			seen[stack] = true;
			report->frame_numbers[frame_of(report, stack)] = 0;
		}
	}
	free(seen);
}

static void add_frames(struct report *report)
{
	const struct frame_table *frames = report->input->frames;
	uint32_t next = 0, i;

	report->frame_numbers = xmalloc(((size_t)frames->count + 1) * sizeof(*report->frame_numbers));
	for (i = 0; i < frames->count; i++)
		report->frame_numbers[i] = PROFILE_NONE;
	mark_frames(report);
	json_begin_array(&report->json, "frames");
	for (i = 0; i < frames->count; i++) {
		if (report->frame_numbers[i] == PROFILE_NONE)
			continue;
		report->frame_numbers[i] = next++;
		json_begin_line(&report->json);
		add_frame_members(report, &frames->frames[i]);
		if (frames->frames[i].dso_name != PROFILE_NONE)
			json_string(&report->json, "dso", text(report, frames->frames[i].dso_name));
		json_end_object(&report->json);
	}
	json_end_array(&report->json);
}

static void render(const struct view_input *input, const void *options, struct strbuf *out)
{
	struct report report = { .input = input, .options = options };
	uint32_t events = profile_event_count(input->profile), event;

	json_init(&report.json, out);
	json_begin_object(&report.json, NULL);
	json_string(&report.json, "format", "xprof report");
	json_unsigned(&report.json, "version", JSON_SCHEMA_VERSION);
	add_header(&report);
	add_frames(&report);
	json_begin_array(&report.json, "events");
	for (event = 0; event < events; event++)
		if (selection_has_event(input, event))
			add_event(&report, event);
	json_end_array(&report.json);
	json_end_object(&report.json);
	free(report.frame_numbers);
}

const struct view view_json = { .name = "json", .render = render };
