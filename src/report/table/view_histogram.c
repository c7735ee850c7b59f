/*
 *	# 61.20%  server  sleeping  futex: 3.672 s in about 1,204 waits
 *	#     duration     waits        time   share
 *	     1-2    ms       900     1.350 s  36.76%  |#######################                 |
 *
 * Rows are those of a table with the same keys; each has the samples in its list of hits, whose durations are added up by class.
 * Bars are shares of the row's time, the longest as wide as there is room.
 */
#include <inttypes.h>
#include <string.h>

#include "report/table/table_cell.h"
#include "report/table/table_options.h"
#include "report/view/view.h"

enum { BAR_COLUMNS = 40 };

/* A histogram: each class, and all of them together. */
struct histogram {
	struct wait_sum classes[WAIT_CLASSES];
	struct wait_sum whole;
};

struct drawing {
	const struct table_options *options;
	struct hist hist;
	struct cell_context context;
	struct color color;
	struct strbuf *out;
};

/* --- adding up ---------------------------------------------------------------- */

static void add_row(const struct drawing *drawing, const struct hist_row *row, struct histogram *histogram)
{
	for (uint32_t hit = row->first_hit; hit != HIST_NO_HIT; hit = drawing->hist.hits[hit].next)
		wait_times_sum(drawing->options->wait_times, drawing->hist.hits[hit].sample,
			       histogram->classes);
}

static void add_up(struct histogram *histogram)
{
	for (unsigned int i = 0; i < WAIT_CLASSES; i++) {
		histogram->whole.samples += histogram->classes[i].samples;
		histogram->whole.time_ns += histogram->classes[i].time_ns;
		histogram->whole.waits += histogram->classes[i].waits;
	}
}

/* --- writing ------------------------------------------------------------------ */

static void add_time(struct strbuf *out, uint64_t time_ns, int width)
{
	static const struct {
		double ns;
		const char *name;
	} units[] = { { 1e9, " s" }, { 1e6, "ms" }, { 1e3, "us" } };
	size_t unit = 0;

	while (unit + 1 < sizeof(units) / sizeof(*units) && (double)time_ns < units[unit].ns)
		unit++;
	strbuf_addf(out, "%*.3f %s", width, (double)time_ns / units[unit].ns, units[unit].name);
}

static void add_bar(struct strbuf *out, uint64_t part, uint64_t longest)
{
	const size_t width = longest ? (size_t)((double)part / (double)longest * BAR_COLUMNS + 0.5) : 0;

	strbuf_addc(out, '|');
	for (size_t i = 0; i < BAR_COLUMNS; i++)
		strbuf_addc(out, i < width ? '#' : ' ');
	strbuf_adds(out, "|\n");
}

static void add_class(const struct drawing *drawing, const struct histogram *histogram,
		      unsigned int wait_class, uint64_t longest)
{
	const struct wait_sum *sum = &histogram->classes[wait_class];
	struct strbuf *out = drawing->out;

	strbuf_adds(out, "  ");
	wait_class_add_text(out, wait_class);
	strbuf_addf(out, "  %10.0f  ", sum->waits);
	add_time(out, sum->time_ns, 9);
	strbuf_addf(out, "  %6.2f%%  ", 100.0 * (double)sum->time_ns / (double)histogram->whole.time_ns);
	add_bar(out, sum->time_ns, longest);
}

/* From the shortest class with waits to the longest. */
static void add_classes(const struct drawing *drawing, const struct histogram *histogram)
{
	unsigned int first = WAIT_CLASSES, last = 0;
	uint64_t longest = 0;

	for (unsigned int i = 0; i < WAIT_CLASSES; i++) {
		if (!histogram->classes[i].samples)
			continue;
		first = first == WAIT_CLASSES ? i : first;
		last = i;
		if (histogram->classes[i].time_ns > longest)
			longest = histogram->classes[i].time_ns;
	}
	for (unsigned int i = first; i <= last && i < WAIT_CLASSES; i++)
		add_class(drawing, histogram, i, longest);
}

static void add_row_names(const struct drawing *drawing, const struct hist_row *row)
{
	const struct column_list *outputs = &drawing->options->layout.outputs;
	struct strbuf cell = STRBUF_INIT;

	for (size_t i = 0; i < outputs->count; i++) {
		if (!column_is_key(outputs->items[i]))
			continue;
		strbuf_reset(&cell);
		table_cell_add(&cell, &drawing->context, row, outputs->items[i], SIZE_MAX);
		strbuf_addf(drawing->out, "  %s", cell.bytes + strspn(cell.bytes, " "));
	}
	strbuf_fini(&cell);
}

/* `row` NULL: for all rows. */
static void add_heading(const struct drawing *drawing, const struct hist_row *row,
			const struct histogram *histogram)
{
	struct strbuf *out = drawing->out;

	strbuf_adds(out, color_on(drawing->color, COLOR_HEADING));
	strbuf_addf(out, "# %6.2f%%",
		    hist_percent(&drawing->hist, row ? row->self_weight : drawing->hist.shown_weight));
	if (row)
		add_row_names(drawing, row);
	else
		strbuf_adds(out, "  all");
	strbuf_adds(out, ": ");
	add_time(out, histogram->whole.time_ns, 0);
	strbuf_addf(out, " in about %.0f %s, of which %" PRIu64 " %s", histogram->whole.waits,
		    histogram->whole.waits > 0.5 && histogram->whole.waits < 1.5 ? "wait" : "waits",
		    histogram->whole.samples, histogram->whole.samples == 1 ? "is a sample" : "are samples");
	strbuf_adds(out, color_off(drawing->color));
	strbuf_addc(out, '\n');
}

static void add_histogram(const struct drawing *drawing, const struct hist_row *row,
			  struct histogram *histogram)
{
	add_up(histogram);
	add_heading(drawing, row, histogram);
	if (histogram->whole.samples)
		add_classes(drawing, histogram);
	strbuf_addc(drawing->out, '\n');
}

/* --- the view ---------------------------------------------------------------- */

static void add_all(const struct drawing *drawing)
{
	struct histogram histogram = { .whole = { 0 } };

	for (uint32_t i = 0; i < drawing->hist.row_count; i++)
		add_row(drawing, &drawing->hist.rows[i], &histogram);
	add_histogram(drawing, NULL, &histogram);
}

static void add_rows(const struct drawing *drawing)
{
	const struct table_options *options = drawing->options;
	uint32_t shown = 0;

	for (uint32_t i = 0; i < drawing->hist.row_count && (!options->top || shown < options->top); i++) {
		const struct hist_row *row = &drawing->hist.rows[i];
		struct histogram histogram = { .whole = { 0 } };

		if (hist_row_percent(&drawing->hist, row) < options->percent_limit)
			continue;
		add_row(drawing, row, &histogram);
		add_histogram(drawing, row, &histogram);
		shown++;
	}
}

static void render(const struct view_input *input, const void *view_options, struct strbuf *out)
{
	const struct table_options *options = view_options;
	const struct hist_options hist_options = {
		.layout = &options->layout,
		.relative = input->selection->relative,
		.keep_hits = true,
		.sources = input->sources,
		.parents = input->parents,
		.keys = input->keys,
		.rows = input->selection->rows,
	};
	struct drawing drawing = { .options = options, .color = input->canvas.color, .out = out };

	drawing.context = (struct cell_context){
		.input = input, .hist = &drawing.hist, .verbose = options->verbose, .packed = true
	};
	hist_init(&drawing.hist, input->profile, input->frames, input->selection->event,
		  &input->selection->filter, &hist_options);
	strbuf_adds(out, "#     duration       waits          time    share\n#\n");
	add_all(&drawing);
	add_rows(&drawing);
	hist_fini(&drawing.hist);
}

const struct view view_histogram = { .name = "histogram", .render = render };
