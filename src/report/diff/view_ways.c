/* Text and JSON show the same ways_summary. Each add_...() function prints one paragraph or table. */
#include "report/diff/view_ways.h"

#include <inttypes.h>

#include "profile/compare.h"
#include "report/diff/ways_summary.h"
#include "text/safe_text.h"

struct drawing {
	const struct ways_view_options *options;
	struct ways_summary summary;
	struct strbuf *out;
	struct json_writer json;
};

static double percent(uint64_t part, uint64_t whole)
{
	return compare_percent((double)part, (double)whole);
}

/* --- sentences ------------------------------------------------------------------ */

static void add_source(const struct drawing *drawing)
{
	const struct unwind_ways *ways = drawing->options->ways;

	strbuf_adds(drawing->out, "# ");
	safe_text_add(drawing->out, drawing->options->path);
	strbuf_addf(drawing->out, ": %" PRIu64 " samples unwound twice\n", ways->samples);
	if (ways->proved)
		strbuf_addf(drawing->out,
			    "# %" PRIu64
			    " of them (%.1f%%) by the recorder, which kept the chain of frame pointers alone "
			    "where it is right\n",
			    ways->proved, percent(ways->proved, ways->samples));
	if (ways->samples > ways->recorded)
		strbuf_addf(
			drawing->out,
			"# frame pointers are followed through the stack dump, as the kernel would have done%s\n",
			ways->recorded ? ", where it recorded no chain" : "");
	if (ways->no_dump)
		strbuf_addf(drawing->out, "# left out: %" PRIu64 " samples without a stack dump\n",
			    ways->no_dump);
	if (ways->no_stack)
		strbuf_addf(drawing->out, "# left out: %" PRIu64 " samples whose dump cannot be unwound\n",
			    ways->no_stack);
	if (drawing->summary.dump_too_short)
		strbuf_addf(drawing->out,
			    "# call frame information does not reach the start of the thread either: %" PRIu64
			    " samples (%.1f%%)\n",
			    drawing->summary.dump_too_short,
			    percent(drawing->summary.dump_too_short, ways->samples));
	strbuf_adds(drawing->out, "#\n");
}

static void add_verdict(const struct drawing *drawing, enum chain_fault fault, const char *text)
{
	const struct ways_sums *all = &drawing->summary.all;

	strbuf_addf(drawing->out, "  %6.2f%%  %10" PRIu64 "  %s\n",
		    percent(all->by_fault[fault], all->samples), all->by_fault[fault], text);
}

static void add_verdicts(const struct drawing *drawing)
{
	const struct ways_sums *all = &drawing->summary.all;

	strbuf_adds(drawing->out, "# by where frame pointers first differ from call frame information:\n");
	add_verdict(drawing, CHAIN_AGREES, "nowhere: the same callers up to the start of the thread");
	add_verdict(drawing, CHAIN_SKIPS, "they skip a caller, and go on");
	add_verdict(drawing, CHAIN_ENDS, "they end before the start of the thread");
	add_verdict(drawing, CHAIN_STRAYS, "they go on with a frame that is not a caller");
	if (all->by_fault[CHAIN_FARTHER])
		add_verdict(drawing, CHAIN_FARTHER, "nowhere, as far as call frame information gets");
	strbuf_addf(drawing->out,
		    "#\n# of %" PRIu64 " frames %" PRIu64 " (%.2f%%) are missing, %" PRIu64
		    " of them the caller of a function without a frame of its own; %" PRIu64
		    " are not callers\n",
		    all->frames, all->missing, percent(all->missing, all->frames), drawing->summary.skips,
		    all->wrong);
}

/* --- tables --------------------------------------------------------------------- */

static bool is_cut(const struct drawing *drawing, size_t number)
{
	return drawing->options->top && number >= drawing->options->top;
}

static void add_more(const struct drawing *drawing, size_t count)
{
	if (drawing->options->top && count > drawing->options->top)
		strbuf_addf(drawing->out, "# %zu more; --top 0 shows all\n", count - drawing->options->top);
}

static void add_faults(const struct drawing *drawing, const struct ways_sums *sums, uint64_t whole)
{
	strbuf_addf(drawing->out, "  %6.2f%%  %6.2f%%  %6.2f%%", percent(sums->by_fault[CHAIN_SKIPS], whole),
		    percent(sums->by_fault[CHAIN_ENDS], whole), percent(sums->by_fault[CHAIN_STRAYS], whole));
}

static void add_commands(const struct drawing *drawing)
{
	const struct ways_rows *rows = &drawing->summary.comms;

	strbuf_adds(drawing->out,
		    "#\n#    Samples   Agree    Skip     End   Stray  Frames missing  Command\n");
	for (size_t i = 0; i < rows->count && !is_cut(drawing, i); i++) {
		const struct ways_sums *sums = &rows->list[i].sums;

		strbuf_addf(drawing->out, "  %10" PRIu64 "  %5.1f%%", sums->samples,
			    percent(sums->by_fault[CHAIN_AGREES], sums->samples));
		add_faults(drawing, sums, sums->samples);
		strbuf_addf(drawing->out, "  %13.2f%%  ", percent(sums->missing, sums->frames));
		safe_text_add(drawing->out, rows->list[i].name);
		strbuf_addc(drawing->out, '\n');
	}
	add_more(drawing, rows->count);
}

static void add_dsos(const struct drawing *drawing)
{
	const struct ways_rows *rows = &drawing->summary.dsos;

	strbuf_adds(drawing->out,
		    "#\n# in which code they first differ, of the samples that have a frame in it:\n"
		    "# In samples  First here    Skip     End   Stray  Shared Object\n");
	for (size_t i = 0; i < rows->count && !is_cut(drawing, i); i++) {
		const struct ways_row *row = &rows->list[i];
		uint64_t in_samples = row->in_samples ? row->in_samples : row->sums.samples;

		strbuf_addf(drawing->out, "  %10" PRIu64 "  %10" PRIu64, in_samples, row->sums.samples);
		add_faults(drawing, &row->sums, in_samples);
		strbuf_adds(drawing->out, "  ");
		safe_text_add(drawing->out, row->name);
		strbuf_addc(drawing->out, '\n');
	}
	add_more(drawing, rows->count);
}

static void add_functions(const struct drawing *drawing)
{
	const struct ways_rows *rows = &drawing->summary.functions;

	if (!rows->count)
		return;
	strbuf_adds(drawing->out, "#\n# after which function they first differ:\n"
				  "#    Samples    Skip     End   Stray  Function\n");
	for (size_t i = 0; i < rows->count && !is_cut(drawing, i); i++) {
		const struct ways_row *row = &rows->list[i];

		strbuf_addf(drawing->out, "  %10" PRIu64, row->sums.samples);
		add_faults(drawing, &row->sums, row->sums.samples);
		strbuf_adds(drawing->out, "  ");
		safe_text_add(drawing->out, row->name);
		strbuf_adds(drawing->out, " (");
		safe_text_add(drawing->out, row->dso);
		strbuf_adds(drawing->out, ")\n");
	}
	add_more(drawing, rows->count);
}

static void add_skipped(const struct drawing *drawing)
{
	const struct ways_rows *rows = &drawing->summary.skipped_behind;

	if (!rows->count)
		return;
	strbuf_adds(drawing->out,
		    "#\n# functions whose caller is skipped, and which one that is most often:\n"
		    "#      Times  Function <- skipped caller\n");
	for (size_t i = 0; i < rows->count && !is_cut(drawing, i); i++) {
		const struct ways_row *row = &rows->list[i];

		strbuf_addf(drawing->out, "  %10" PRIu64 "  ", row->sums.samples);
		safe_text_add(drawing->out, row->name);
		strbuf_adds(drawing->out, " (");
		safe_text_add(drawing->out, row->dso);
		strbuf_adds(drawing->out, ") <- ");
		safe_text_add(drawing->out, row->example);
		if (row->example_samples < row->sums.samples)
			strbuf_addf(drawing->out, " (%.0f%%)",
				    percent(row->example_samples, row->sums.samples));
		strbuf_addc(drawing->out, '\n');
	}
	add_more(drawing, rows->count);
}

void view_ways_render(const struct ways_view_options *options, struct strbuf *out)
{
	struct drawing drawing = { .options = options, .out = out };

	ways_summary_init(&drawing.summary, options->ways, &options->names);
	if (!options->quiet)
		add_source(&drawing);
	add_verdicts(&drawing);
	add_commands(&drawing);
	add_dsos(&drawing);
	add_functions(&drawing);
	add_skipped(&drawing);
	ways_summary_fini(&drawing.summary);
}

/* --- JSON ----------------------------------------------------------------------- */

static void add_sums(struct json_writer *json, const struct ways_sums *sums)
{
	json_unsigned(json, "samples", sums->samples);
	json_unsigned(json, "agree", sums->by_fault[CHAIN_AGREES]);
	json_unsigned(json, "skip", sums->by_fault[CHAIN_SKIPS]);
	json_unsigned(json, "end", sums->by_fault[CHAIN_ENDS]);
	json_unsigned(json, "stray", sums->by_fault[CHAIN_STRAYS]);
	json_unsigned(json, "agree_without_start", sums->by_fault[CHAIN_FARTHER]);
	json_unsigned(json, "frames", sums->frames);
	json_unsigned(json, "frames_missing", sums->missing);
	json_unsigned(json, "frames_wrong", sums->wrong);
}

static void add_json_rows(struct drawing *drawing, const char *name, const char *key,
			  const struct ways_rows *rows)
{
	struct json_writer *json = &drawing->json;

	json_begin_array(json, name);
	for (size_t i = 0; i < rows->count && !is_cut(drawing, i); i++) {
		const struct ways_row *row = &rows->list[i];

		json_begin_line(json);
		json_string(json, key, row->name);
		if (row->dso)
			json_string(json, "dso", row->dso);
		if (row->example) {
			json_unsigned(json, "times", row->sums.samples);
			json_string(json, "skipped", row->example);
			json_unsigned(json, "skipped_times", row->example_samples);
		} else {
			add_sums(json, &row->sums);
		}
		if (row->in_samples)
			json_unsigned(json, "in_samples", row->in_samples);
		json_end_object(json);
	}
	json_end_array(json);
}

void view_ways_render_json(const struct ways_view_options *options, struct strbuf *out)
{
	struct drawing drawing = { .options = options, .out = out };
	const struct unwind_ways *ways = options->ways;
	struct json_writer *json = &drawing.json;

	ways_summary_init(&drawing.summary, ways, &options->names);
	json_init(json, out);
	json_begin_object(json, NULL);
	json_string(json, "format", "xprof diff --unwind");
	json_unsigned(json, "version", WAYS_JSON_VERSION);
	json_string(json, "file", options->path);
	json_unsigned(json, "chains_recorded", ways->recorded);
	json_unsigned(json, "chains_proved", ways->proved);
	json_unsigned(json, "without_dump", ways->no_dump);
	json_unsigned(json, "not_unwound", ways->no_stack);
	json_unsigned(json, "without_start", drawing.summary.dump_too_short);
	json_unsigned(json, "skips", drawing.summary.skips);
	json_begin_object(json, "total");
	add_sums(json, &drawing.summary.all);
	json_end_object(json);
	add_json_rows(&drawing, "commands", "comm", &drawing.summary.comms);
	add_json_rows(&drawing, "dsos", "dso", &drawing.summary.dsos);
	add_json_rows(&drawing, "functions", "function", &drawing.summary.functions);
	add_json_rows(&drawing, "skipped_behind", "function", &drawing.summary.skipped_behind);
	json_end_object(json);
	ways_summary_fini(&drawing.summary);
}
