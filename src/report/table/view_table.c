/* The table of perf report --stdio: its headings, columns and figures, with a call graph below each row if wanted. */
#include "report/table/table_options.h"

#include <inttypes.h>
#include <string.h>

#include "profile/event_unit.h"
#include "report/rows/row_graph.h"
#include "report/table/table_row.h"
#include "report/table/table_tree.h"
#include "text/safe_text.h"

enum {
	SHARE_COLUMNS = 8,
	NUMBER_COLUMNS = 12,
	CPU_COLUMNS = 3,
	UNKNOWN_DSO_COLUMNS = 16, /* perf makes room for an address if some symbol is unknown */
};

/* --- widths ------------------------------------------------------------------------------------------ */

static size_t least_width(enum column column)
{
	switch (column) {
	case COLUMN_SAMPLE:
	case COLUMN_PERIOD: return NUMBER_COLUMNS;
	case COLUMN_CPU: return CPU_COLUMNS;
	default: return column_is_key(column) ? 0 : SHARE_COLUMNS;
	}
}

static void widen(struct table *table, enum column column, size_t width)
{
	if (width > table->widths[column])
		table->widths[column] = width;
}

static bool symbol_unknown(const struct table *table, const struct hist_row *row)
{
	uint32_t key = hist_row_key(&table->hist, row, COLUMN_SYMBOL);

	return key != PROFILE_NONE && table->input->frames->frames[key].name == PROFILE_NONE;
}

/* The last column needs no padding, and the dots below its heading have a maximum width. */
static bool is_wide_enough(const struct table *table, enum column column)
{
	return column == table->last && table->widths[column] >= TABLE_LAST_DOTS &&
	       !table->input->canvas.columns;
}

static void widen_for(struct table *table, uint32_t number)
{
	const struct hist_row *row = &table->hist.rows[number];
	const struct column_list *outputs = &table->outputs;
	size_t i;

	for (i = 0; i < outputs->count; i++) {
		if (!column_is_key(outputs->items[i]) || is_wide_enough(table, outputs->items[i]))
			continue;
		strbuf_reset(&table->cell);
		table_cell_add(&table->cell, &table->context, row, outputs->items[i], SIZE_MAX);
		widen(table, outputs->items[i], safe_text_columns(table->cell.bytes));
	}
	if (symbol_unknown(table, row)) {
		widen(table, COLUMN_SYMBOL, TABLE_CELL_ADDRESS_COLUMNS);
		if (!table->input->selection->filter.dsos)
			widen(table, COLUMN_DSO, UNKNOWN_DSO_COLUMNS);
	}
}

static size_t line_width(const struct table *table)
{
	const struct column_list *outputs = &table->outputs;
	size_t width = 0, i;

	for (i = 0; i < outputs->count; i++)
		width += 2 + table->widths[outputs->items[i]];
	return width;
}

/* On a terminal, narrows columns of text, the least informative first, until a row fits into a line. */
static void fit_to_terminal(struct table *table)
{
	static const struct {
		enum column column;
		size_t least;
	} steps[] = { { COLUMN_SYMBOL, 36 }, { COLUMN_SRCLINE, 24 }, { COLUMN_DSO, 20 },
		      { COLUMN_SYMBOL, 24 }, { COLUMN_PID, 18 },     { COLUMN_TID, 18 },
		      { COLUMN_TGID, 18 },   { COLUMN_COMM, 10 },    { COLUMN_SYMBOL, 20 },
		      { COLUMN_DSO, 10 } };
	size_t i;

	for (i = 0; i < sizeof(steps) / sizeof(steps[0]); i++) {
		size_t width = line_width(table), *own = &table->widths[steps[i].column];
		size_t excess =
			width > table->input->canvas.columns ? width - table->input->canvas.columns : 0;
		size_t spare = *own > steps[i].least ? *own - steps[i].least : 0;

		*own -= excess < spare ? excess : spare;
	}
}

/* --- the table's head -------------------------------------------------------------------------------- */

static void set_widths(struct table *table, uint32_t shown)
{
	const struct column_list *outputs = &table->outputs;
	uint32_t rows = table->input->canvas.columns ? shown : table->hist.row_count;
	size_t column;

	memset(table->widths, 0, sizeof(table->widths));
	for (column = 0; column < outputs->count; column++) {
		widen(table, outputs->items[column], least_width(outputs->items[column]));
		widen(table, outputs->items[column],
		      strlen(table_row_heading(table, outputs->items[column])));
	}
	for (uint32_t i = 0; i < rows; i++)
		widen_for(table, i);
	for (column = 0; column < outputs->count && column < table->options->column_width_count; column++)
		table->widths[outputs->items[column]] = table->options->column_widths[column];
	if (table->input->canvas.columns)
		fit_to_terminal(table);
}

static void add_heading_row(struct table *table)
{
	const struct column_list *outputs = &table->outputs;
	struct color color = table->input->canvas.color;
	size_t i;

	strbuf_adds(table->out, color_on(color, COLOR_HEADING));
	strbuf_adds(table->out, "# ");
	for (i = 0; i < outputs->count; i++) {
		enum column column = outputs->items[i];
		const char *heading = table_row_heading(table, column);
		int width = table->options->separator ? 0 : (int)table->widths[column];

		if (table->options->separator) {
			heading += strspn(heading, " ");
			if (i)
				strbuf_addc(table->out, table->options->separator);
		} else if (i) {
			strbuf_adds(table->out, "  ");
		}
		if (table_row_is_right_aligned(column))
			strbuf_addf(table->out, "%*s", width, heading);
		else if (column_is_key(column) && column != table->last)
			strbuf_addf(table->out, "%-*.*s", width, width ? width : 100, heading);
		else
			strbuf_addf(table->out, "%*s", column_is_key(column) ? 0 : width, heading);
	}
	strbuf_adds(table->out, color_off(color));
	strbuf_addc(table->out, '\n');
}

static void add_dots(struct table *table)
{
	const struct column_list *outputs = &table->outputs;
	size_t i, dots;

	if (table->options->separator)
		return;
	for (i = 0; i < outputs->count; i++) {
		strbuf_adds(table->out, i ? "  " : "# ");
		dots = table->widths[outputs->items[i]];
		if (outputs->items[i] == table->last && dots > TABLE_LAST_DOTS)
			dots = TABLE_LAST_DOTS;
		for (; dots; dots--)
			strbuf_addc(table->out, '.');
	}
	strbuf_adds(table->out, "\n#\n");
}

static void add_headings(struct table *table)
{
	add_heading_row(table);
	add_dots(table);
}

/* As perf: whole thousands, millions and so on; the unit is a blank if there is none. */
static uint64_t rounded(uint64_t count, char *unit)
{
	static const char units[] = " KMG";
	size_t i = 0;

	for (; count > 1000 && units[i + 1]; i++)
		count /= 1000;
	*unit = units[i];
	return count;
}

/* Does an import have only weights, in a unit other than a count, and no numbers of samples? */
static bool has_weights_alone(const struct table *table, uint32_t event)
{
	const struct profile *profile = table->input->profile;

	return event_unit_is_imported(profile, event) &&
	       strcmp(event_unit_of(profile, event), "count") != 0 &&
	       profile_event_at(profile, event)->samples == profile_event_at(profile, event)->weight;
}

/* As perf for recordings; imported weights have units. */
static void add_total(struct table *table, uint64_t total, uint32_t event)
{
	const struct profile *profile = table->input->profile;
	struct strbuf words = STRBUF_INIT;

	if (!strcmp(event_unit_of(profile, event), "count") || !event_unit_is_imported(profile, event)) {
		strbuf_addf(table->out, "# Event count (approx.): %" PRIu64 "\n#\n", total);
		return;
	}
	event_unit_add_words(&words, profile, event);
	strbuf_addf(table->out, "# Weight: %" PRIu64 " ", total);
	safe_text_add(table->out, words.bytes);
	strbuf_adds(table->out, "\n#\n");
	strbuf_fini(&words);
}

static void add_event_heading(struct table *table, uint32_t event)
{
	const struct profile *profile = table->input->profile;
	const struct hist *hist = &table->hist;
	bool relative = table->input->selection->relative;
	uint64_t count = relative ? hist->shown_count : hist->count;
	char unit;

	count = rounded(count, &unit);
	if (has_weights_alone(table, event))
		strbuf_adds(table->out, "# Weights of event '");
	else
		strbuf_addf(table->out, "# Samples: %" PRIu64 "%c of event '", count, unit);
	safe_text_add(table->out, profile_text(profile, profile_event_at(profile, event)->name));
	strbuf_addc(table->out, '\'');
	if (table->options->time_text)
		strbuf_addf(table->out, " (time slices: %s)", table->options->time_text);
	strbuf_addc(table->out, '\n');
	add_total(table, hist_total(hist), event);
}

/* --- rows -------------------------------------------------------------------------------------------- */

/* Says what --top left out, so that the table does not look complete. */
static void add_omission(struct table *table, uint32_t shown, uint32_t eligible)
{
	uint64_t weight = 0;
	uint32_t i;

	if (shown == eligible || table->options->quiet || table->options->separator)
		return;
	for (i = shown; i < eligible; i++)
		weight += table->hist.rows[i].self_weight;
	strbuf_adds(table->out, color_on(table->input->canvas.color, COLOR_FAINT));
	strbuf_addf(table->out,
		    "# %" PRIu32
		    " more rows with %.2f%% of the samples' weight in themselves; --top 0 shows all",
		    eligible - shown, hist_percent(&table->hist, weight));
	strbuf_adds(table->out, color_off(table->input->canvas.color));
	strbuf_addc(table->out, '\n');
}

/* Moves the rows that reach the limit to the front, in their order. Returns their number. */
static uint32_t drop_light_rows(struct hist *hist, double limit)
{
	uint32_t kept = 0, i;

	for (i = 0; i < hist->row_count; i++)
		if (hist_row_percent(hist, &hist->rows[i]) >= limit) {
			struct hist_row row = hist->rows[kept];

			hist->rows[kept++] = hist->rows[i];
			hist->rows[i] = row; /* dropped rows may be in any order, but count for widths */
		}
	return kept;
}

static void add_rows_with_graphs(struct table *table, uint32_t shown)
{
	const struct table_options *options = table->options;
	struct row_graphs *graphs =
		row_graphs_create(&table->hist, shown, &options->graph, options->layout.symbol_first,
				  table->input->canvas.columns);

	for (uint32_t i = 0; i < shown; i++) {
		table_row_add(table, i);
		row_graphs_take(graphs, i, table->out);
	}
	row_graphs_destroy(graphs);
}

static void add_event(struct table *table, uint32_t event)
{
	const struct table_options *options = table->options;
	uint32_t eligible = drop_light_rows(&table->hist, options->percent_limit);
	uint32_t shown = options->top && options->top < eligible ? options->top : eligible;

	set_widths(table, options->hierarchy ? table->hist.row_count : shown);
	if (!options->quiet)
		add_event_heading(table, event);
	if (!options->quiet && table->hist.row_count)
		(options->hierarchy ? table_tree_add_heading : add_headings)(table);
	if (options->hierarchy) {
		table_tree_add_rows(table);
		return;
	}
	if (options->graph.style == ROW_GRAPH_OFF)
		for (uint32_t i = 0; i < shown; i++)
			table_row_add(table, i);
	else
		add_rows_with_graphs(table, shown);
	add_omission(table, shown, eligible);
}

/* The only value that the filter leaves in a column. NULL if there may be several. */
static const char *only_text(const struct selection *selection, enum column column)
{
	const char *const *texts = column == COLUMN_COMM   ? selection->filter.comms :
				   column == COLUMN_DSO    ? selection->filter.dsos :
				   column == COLUMN_SYMBOL ? selection->filter.symbols :
							     NULL;

	return texts && texts[0] && !texts[1] ? texts[0] : NULL;
}

/* As perf: if a filter keeps a single comm, DSO or symbol, the heading names it … */
static void add_filter_headings(struct table *table)
{
	static const enum column filtered[] = { COLUMN_DSO, COLUMN_COMM, COLUMN_SYMBOL };
	size_t i;

	for (i = 0; i < sizeof(filtered) / sizeof(filtered[0]); i++) {
		const char *text = only_text(table->input->selection, filtered[i]);

		if (!text)
			continue;
		strbuf_addf(table->out, "# %s: ", column_name(filtered[i]));
		safe_text_add(table->out, text);
		strbuf_addc(table->out, '\n');
	}
}

/* A field of tracepoints is a column only of events that have it. */
static bool event_has(const struct table *table, enum column column)
{
	return !column_is_field(column) || table_row_heading(table, column);
}

/* … and the column that would repeat it in every row is left out, unless no key would remain. */
static void choose_outputs(struct table *table)
{
	const struct column_list *all = &table->options->layout.outputs;
	size_t keys_left = 0, i;

	for (i = 0; i < all->count; i++)
		keys_left +=
			column_is_key(all->items[i]) && !only_text(table->input->selection, all->items[i]);
	table->outputs.count = 0;
	for (i = 0; i < all->count; i++)
		if ((!keys_left || table->options->hierarchy ||
		     !only_text(table->input->selection, all->items[i])) &&
		    event_has(table, all->items[i]))
			table->outputs.items[table->outputs.count++] = all->items[i];
	table->last = table->outputs.items[table->outputs.count - 1];
}

static struct hist_options hist_options_of(const struct view_input *input,
					   const struct table_options *options)
{
	enum call_order default_order = options->children ? CALL_ORDER_CALLER : CALL_ORDER_CALLEE;

	return (struct hist_options){
		.layout = &options->layout,
		.children = options->children,
		.relative = input->selection->relative,
		.keep_hits = options->graph.style != ROW_GRAPH_OFF,
		.callers_on_top = options->children,
		.order = options->graph.order_set ? options->graph.order : default_order,
		.sources = input->sources,
		.parents = input->parents,
		.keys = input->keys,
		.rows = input->selection->rows,
	};
}

/* Events without samples (always dummy:HG, which carries the kernel's other records) are left out if any event has samples. */
static bool is_worth_a_table(const struct view_input *input, uint32_t event, bool all_empty)
{
	if (!selection_has_event(input, event))
		return false;
	return profile_event_at(input->profile, event)->samples || input->selection->event == event ||
	       (all_empty && event == 0);
}

static bool all_events_are_empty(const struct view_input *input)
{
	uint32_t events = profile_event_count(input->profile), event;

	for (event = 0; event < events; event++)
		if (selection_has_event(input, event) && profile_event_at(input->profile, event)->samples)
			return false;
	return true;
}

static void render(const struct view_input *input, const void *view_options, struct strbuf *out)
{
	const struct table_options *options = view_options;
	struct hist_options hist_options = hist_options_of(input, options);
	struct table table = { .input = input, .options = options, .out = out };
	uint32_t events = profile_event_count(input->profile), event;
	bool all_empty = all_events_are_empty(input), first = true;

	table.context = (struct cell_context){
		.input = input,
		.hist = &table.hist,
		.verbose = options->verbose,
		.packed = options->separator != 0,
	};
	if (!options->quiet)
		add_filter_headings(&table);
	strbuf_init(&table.cell);
	for (event = 0; event < events; event++) {
		if (!is_worth_a_table(input, event, all_empty))
			continue;
		if (!first)
			strbuf_adds(out, "\n\n");
		first = false;
		table.event = event;
		choose_outputs(&table);
		hist_init(&table.hist, input->profile, input->frames, event, &input->selection->filter,
			  &hist_options);
		add_event(&table, event);
		hist_fini(&table.hist);
	}
	strbuf_fini(&table.cell);
}

const struct view view_table = { .name = "table", .render = render };
