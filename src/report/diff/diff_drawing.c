/*
 * draw_event() is the work for one pair of events: request, runs, profile_diff, diff_result, rows. Tables and JSON share
 * it; draw_folded() renders each side with view_folded and merges the two texts.
 */
#include "report/diff/diff_drawing.h"

#include <stdlib.h>

#include "base/xalloc.h"
#include "report/diff/diff_folded.h"
#include "report/diff/diff_header.h"
#include "report/diff/view_diff.h"
#include "report/view/view.h"
#include "report/view/view_folded.h"

enum { TERMINAL_ROWS = 40 };

static const char *event_name(const struct diff_drawing *drawing, int side)
{
	return diff_recordings_event_name(&drawing->sides[side]);
}

/* --- what is computed ------------------------------------------------------------ */

static int choose_pair(const struct diff_drawing *drawing, const struct diff_event_pair *pair,
		       struct error *err)
{
	for (int side = 0; side < COMPARE_SIDES; side++)
		if (diff_recordings_choose_event(&drawing->sides[side], pair->event[side], err))
			return -1;
	return 0;
}

/* For the pair of events that was chosen last. */
static int make_request(const struct diff_drawing *drawing, struct diff_request *request, struct error *err)
{
	const struct diff_options *options = drawing->options;

	*request = (struct diff_request){
		.normalize = (enum diff_normalize)options->normalize,
		.compute = (enum diff_compute)options->compute,
		.order = (enum diff_order)options->order,
		.confidence = options->confidence_percent / 100,
		.relative = options->percentage == PERCENTAGE_RELATIVE,
	};
	/* perf diff's ratio and weighted difference use the periods as recorded. */
	if (!options->normalize_set && (options->compute == DIFF_RATIO || options->compute == DIFF_WDIFF))
		request->normalize = DIFF_NOTHING;
	for (int side = 0; side < COMPARE_SIDES; side++) {
		struct profile_event event = diff_recordings_event(&drawing->sides[side]);

		request->design_effect[side] = diff_design_effect(&event);
		request->factor[side] = options->weights[side];
		if (diff_recordings_divide(&drawing->sides[side], request->normalize, options->work[side],
					   options->work_event, &request->divisor[side], err))
			return -1;
	}
	return 0;
}

/* The recordings of both sides for the diff, and the divisor of each one's sums. */
struct run_list {
	struct diff_run *runs;
	double *divisors;
	size_t counts[COMPARE_SIDES];
};

static struct run_list list_runs(const struct diff_drawing *drawing, struct diff_request *request)
{
	struct run_list list = { .counts = { drawing->sides[COMPARE_BEFORE].count,
					     drawing->sides[COMPARE_AFTER].count } };
	size_t number = 0;

	list.runs = xmalloc((list.counts[0] + list.counts[1]) * sizeof(*list.runs));
	list.divisors = xmalloc((list.counts[0] + list.counts[1]) * sizeof(*list.divisors));
	for (int side = 0; side < COMPARE_SIDES; side++) {
		request->run_divisors[side] = list.divisors + number;
		for (size_t i = 0; i < list.counts[side]; i++, number++) {
			const struct diff_recording *recording = &drawing->sides[side].list[i];

			list.runs[number] =
				(struct diff_run){ recording->input.loaded.profile, &recording->frames,
						   recording->event, &drawing->filter, recording->timeline };
			list.divisors[number] = recording->divisor;
		}
	}
	return list;
}

/* --- a pair of events --------------------------------------------------------------- */

static char separator_of(const struct diff_options *options)
{
	if (!options->separator)
		return '\0';
	return options->separator[0] == '\\' ? '\t' : options->separator[0];
}

/* As JSON if there is a writer for it, else as a table. */
static void draw_rows(const struct diff_drawing *drawing, struct profile_diff *diff,
		      struct diff_result *result, struct strbuf *out, struct json_writer *json)
{
	const struct diff_options *options = drawing->options;
	struct diff_table_options table = {
		.result = result,
		.diff = diff,
		.number = diff_number_of(result->request.normalize,
					 diff_event_counts_ns(event_name(drawing, COMPARE_AFTER))),
		.event = { event_name(drawing, COMPARE_BEFORE), event_name(drawing, COMPARE_AFTER) },
		.keys = drawing->keys,
		.children = drawing->children,
		.all = options->all,
		.callers = options->callers,
		.period = options->period,
		.baseline_only = options->baseline_only,
		.quiet = options->quiet,
		.separator = separator_of(options),
		.top = options->top_set           ? options->top :
		       drawing->terminal && !json ? TERMINAL_ROWS :
						    0,
		.canvas = drawing->canvas,
	};

	if (json)
		view_diff_json_add_event(json, &table);
	else
		view_diff_render(&table, out);
}

static int draw_event(const struct diff_drawing *drawing, const struct diff_event_pair *pair,
		      struct strbuf *out, struct json_writer *json, struct error *err)
{
	const struct diff_options *options = drawing->options;
	struct diff_request request;
	struct diff_result result;
	struct profile_diff *diff;
	struct run_list list;

	if (choose_pair(drawing, pair, err) || make_request(drawing, &request, err))
		return -1;
	list = list_runs(drawing, &request);
	diff = profile_diff_create(list.runs, list.counts, drawing->keys, &options->pairs);
	diff_result_init(&result, diff, &request);
	draw_rows(drawing, diff, &result, out, json);
	diff_result_fini(&result);
	profile_diff_destroy(diff);
	free(list.runs);
	free(list.divisors);
	return 0;
}

/* --- folded stacks ------------------------------------------------------------------ */

/* The factor that makes weights before comparable with those after. */
static double folded_factor(const struct diff_drawing *drawing, const struct diff_request *request)
{
	struct profile_event before = diff_recordings_event(&drawing->sides[COMPARE_BEFORE]);
	struct profile_event after = diff_recordings_event(&drawing->sides[COMPARE_AFTER]);

	switch (request->normalize) {
	case DIFF_SHARE: return before.weight ? (double)after.weight / (double)before.weight : 1;
	case DIFF_TIME:
	case DIFF_WORK: return request->divisor[COMPARE_AFTER] / request->divisor[COMPARE_BEFORE];
	default: return 1;
	}
}

/* Weights of different events do not add up, so takes only the first pair. */
static int draw_folded(const struct diff_drawing *drawing, struct strbuf *out, struct error *err)
{
	struct folded_options folded = { .weight = drawing->options->normalize == DIFF_SAMPLES ?
							   STACK_WEIGHT_SAMPLES :
							   STACK_WEIGHT_PERIOD };
	struct diff_request request;
	struct strbuf text[COMPARE_SIDES];

	if (choose_pair(drawing, &drawing->events->pairs[0], err) || make_request(drawing, &request, err))
		return -1;
	for (int side = 0; side < COMPARE_SIDES; side++) {
		const struct diff_recording *recording = &drawing->sides[side].list[0];
		struct selection selection = { .event = recording->event, .filter = drawing->filter };
		struct view_input input = { .profile = recording->input.loaded.profile,
					    .frames = &recording->frames,
					    .selection = &selection };

		strbuf_init(&text[side]);
		view_folded.render(&input, &folded, &text[side]);
	}
	diff_folded_add(out, text[COMPARE_BEFORE].bytes, text[COMPARE_AFTER].bytes,
			folded_factor(drawing, &request));
	strbuf_fini(&text[COMPARE_BEFORE]);
	strbuf_fini(&text[COMPARE_AFTER]);
	return 0;
}

/* --- tables, JSON ------------------------------------------------------------------- */

static struct diff_inputs header_inputs(const struct diff_drawing *drawing,
					const struct diff_event_pair *pair)
{
	return (struct diff_inputs){
		.sides = { &drawing->sides[COMPARE_BEFORE], &drawing->sides[COMPARE_AFTER] },
		.event = { pair->event[COMPARE_BEFORE], pair->event[COMPARE_AFTER] },
		.pairs = &drawing->options->pairs,
	};
}

static int draw_tables(const struct diff_drawing *drawing, struct strbuf *out, struct error *err)
{
	const struct diff_events *events = drawing->events;
	struct diff_inputs inputs = header_inputs(drawing, &events->pairs[0]);

	if (drawing->options->header && !drawing->options->quiet) {
		diff_header_add(out, &inputs);
		strbuf_adds(out, "#\n");
	}
	for (size_t i = 0; i < events->count; i++) {
		if (i)
			strbuf_adds(out, "\n\n");
		if (draw_event(drawing, &events->pairs[i], out, NULL, err))
			return -1;
	}
	return 0;
}

static int draw_json(const struct diff_drawing *drawing, struct strbuf *out, struct error *err)
{
	const struct diff_events *events = drawing->events;
	struct diff_inputs inputs = header_inputs(drawing, &events->pairs[0]);
	struct json_writer json;
	struct diff_request request;

	if (choose_pair(drawing, &events->pairs[0], err) || make_request(drawing, &request, err))
		return -1;
	json_init(&json, out);
	json_begin_object(&json, NULL);
	json_string(&json, "format", "xprof diff");
	json_unsigned(&json, "version", DIFF_JSON_VERSION);
	json_string(&json, "normalize", diff_normalize_names[request.normalize]);
	json_number(&json, "divisor_before", request.divisor[COMPARE_BEFORE]);
	json_number(&json, "divisor_after", request.divisor[COMPARE_AFTER]);
	diff_header_add_json(&json, &inputs);
	json_begin_array(&json, "events");
	for (size_t i = 0; i < events->count; i++)
		if (draw_event(drawing, &events->pairs[i], out, &json, err))
			return -1;
	json_end_array(&json);
	json_end_object(&json);
	return 0;
}

int diff_drawing_add(struct strbuf *out, const struct diff_drawing *drawing, struct error *err)
{
	if (drawing->options->json)
		return draw_json(drawing, out, err);
	if (drawing->options->folded)
		return draw_folded(drawing, out, err);
	return draw_tables(drawing, out, err);
}
