/* Writes the rows in the order of the result, rounds nothing, and leaves out rows only for --top. */
#include "report/diff/view_diff.h"

#include "report/rows/frame_text.h"

static void add_sums(struct json_writer *json, const char *name, const struct diff_sums *sums)
{
	json_begin_object(json, name);
	json_unsigned(json, "samples", sums->count);
	json_unsigned(json, "period", sums->weight);
	json_end_object(json);
}

static void add_comparison(struct json_writer *json, const char *name, const struct comparison *comparison,
			   const struct diff_sums sums[COMPARE_SIDES])
{
	json_begin_object(json, name);
	add_sums(json, "before", &sums[COMPARE_BEFORE]);
	add_sums(json, "after", &sums[COMPARE_AFTER]);
	json_number(json, "value_before", comparison->value[COMPARE_BEFORE]);
	json_number(json, "value_after", comparison->value[COMPARE_AFTER]);
	json_number(json, "delta", comparison->delta);
	json_number(json, "delta_low", comparison->low);
	json_number(json, "delta_high", comparison->high);
	json_number(json, "ratio", comparison->ratio);
	json_number(json, "ratio_low", comparison->ratio_low);
	json_number(json, "ratio_high", comparison->ratio_high);
	json_number(json, "chance", comparison->chance);
}

static void end_comparison(struct json_writer *json, double chance_among_all, enum diff_verdict verdict)
{
	json_number(json, "chance_among_all", chance_among_all);
	json_bool(json, "differs", verdict == DIFF_PROGRAMS);
	json_bool(json, "beyond_sampling", verdict != DIFF_CHANCE);
	json_end_object(json);
}

static void add_text(struct json_writer *json, const struct profile_diff *diff, const char *name,
		     uint32_t text)
{
	json_string(json, name, text == DIFF_NONE ? "[unknown]" : profile_diff_text(diff, text));
}

static void add_keys(struct json_writer *json, const struct diff_table_options *options,
		     const struct diff_row *row)
{
	if (options->keys & DIFF_BY_COMM)
		add_text(json, options->diff, "comm", row->comm);
	if (options->keys & DIFF_BY_CPU && row->cpu != DIFF_NONE)
		json_unsigned(json, "cpu", row->cpu);
	if (row->function != DIFF_NONE) {
		const struct diff_function *function = profile_diff_function(options->diff, row->function);

		add_text(json, options->diff, "dso", function->dso);
		if (options->keys & DIFF_BY_SYMBOL && function->symbol != DIFF_NONE)
			add_text(json, options->diff, "symbol", function->symbol);
		if (options->keys & DIFF_BY_SYMBOL)
			json_string(json, "mode", frame_mode_name(function->mode));
	}
}

static void add_line(struct json_writer *json, const struct diff_table_options *options,
		     const struct diff_line *line)
{
	const struct diff_row *row = profile_diff_row(options->diff, line->row);

	json_begin_line(json);
	add_keys(json, options, row);
	add_comparison(json, "self", &line->self, row->self);
	end_comparison(json, line->self_chance, line->self_verdict);
	if (options->children) {
		add_comparison(json, "children", &line->total, row->total);
		end_comparison(json, line->total_chance, line->total_verdict);
	}
	json_end_object(json);
}

static void add_total(struct json_writer *json, const struct diff_table_options *options)
{
	const struct diff_sums counted[COMPARE_SIDES] = { profile_diff_counted(options->diff, COMPARE_BEFORE),
							  profile_diff_counted(options->diff,
									       COMPARE_AFTER) };

	add_comparison(json, "total", &options->result->whole, counted);
	json_end_object(json);
}

void view_diff_json_add_event(struct json_writer *json, const struct diff_table_options *options)
{
	const struct diff_result *result = options->result;
	uint32_t shown = 0;

	json_begin_object(json, NULL);
	json_string(json, "name_before", options->event[COMPARE_BEFORE]);
	json_string(json, "name_after", options->event[COMPARE_AFTER]);
	json_number(json, "confidence", result->request.confidence);
	json_bool(json, "between_runs", result->knows_runs);
	add_total(json, options);
	json_begin_array(json, "rows");
	for (uint32_t i = 0; i < result->count && (!options->top || shown < options->top); i++) {
		if (!view_diff_has(options, &result->lines[i]))
			continue;
		add_line(json, options, &result->lines[i]);
		shown++;
	}
	json_end_array(json);
	json_end_object(json);
}
