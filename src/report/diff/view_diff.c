/*
 * Each cell is made twice by make_cell(): set_widths() measures it, add_row() prints it. On a terminal the last column is
 * narrowed if the table is too wide.
 */
#include "report/diff/view_diff.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "report/diff/diff_callers.h"
#include "report/rows/frame_text.h"
#include "text/safe_text.h"

enum diff_column {
	CELL_BASELINE,
	CELL_DELTA,
	CELL_INTERVAL,
	CELL_CHILDREN,
	CELL_CHILDREN_DELTA,
	CELL_CHILDREN_INTERVAL,
	CELL_PERIOD_BEFORE,
	CELL_PERIOD_AFTER,
	CELL_COMM,
	CELL_CPU,
	CELL_DSO,
	CELL_SYMBOL,
	CELL_COUNT,
};

enum {
	LAST_DOTS = 88,    /* below the last heading; names of templates can be of any length */
	LEAST_SYMBOL = 24, /* least columns for names on a terminal */
	GRAPH_INDENT = 12,
};

struct table {
	const struct diff_table_options *options;
	const struct diff_result *result;
	struct strbuf *out;
	enum diff_column columns[CELL_COUNT];
	size_t column_count;
	size_t widths[CELL_COUNT];
	struct strbuf cell; /* scratch */
};

/* --- cells -------------------------------------------------------------------- */

/* False for rows that only called others. */
static bool is_sampled(const struct comparison *comparison)
{
	return comparison->value[COMPARE_BEFORE] > 0 || comparison->value[COMPARE_AFTER] > 0;
}

static void add_interval(struct table *table, const struct comparison *comparison)
{
	bool ratio = table->options->result->request.compute == DIFF_RATIO;
	double low = ratio ? comparison->ratio_low : comparison->low;
	double high = ratio ? comparison->ratio_high : comparison->high;

	if (!is_sampled(comparison))
		return;
	if (ratio) {
		strbuf_addf(&table->cell, isfinite(high) ? "%.3f .. %.3f" : "%.3f .. -", low, high);
		return;
	}
	diff_number_add(&table->cell, &table->options->number, low, true);
	strbuf_adds(&table->cell, " .. ");
	diff_number_add(&table->cell, &table->options->number, high, true);
}

/* "~": it may be chance; "?": runs may differ as much. */
static char mark_of(enum diff_verdict verdict)
{
	static const char marks[] = { [DIFF_CHANCE] = '~', [DIFF_RUNS] = '?', [DIFF_PROGRAMS] = ' ' };

	return marks[verdict];
}

static void add_delta(struct table *table, const struct comparison *comparison, enum diff_verdict verdict)
{
	if (!is_sampled(comparison))
		return;
	if (table->result->request.compute != DIFF_RATIO)
		diff_number_add(&table->cell, &table->options->number, comparison->delta, true);
	else if (isfinite(comparison->ratio))
		strbuf_addf(&table->cell, "%.6f", comparison->ratio);
	else
		strbuf_adds(&table->cell, "new");
	strbuf_addc(&table->cell, mark_of(verdict));
}

static void add_value(struct table *table, const struct comparison *comparison)
{
	double factor = table->result->scale.whole[COMPARE_BEFORE].factor;

	if (comparison->value[COMPARE_BEFORE] > 0)
		diff_number_add(&table->cell, &table->options->number,
				comparison->value[COMPARE_BEFORE] / factor, false);
}

static void add_text(struct table *table, uint32_t text)
{
	safe_text_add(&table->cell,
		      text == DIFF_NONE ? "[unknown]" : profile_diff_text(table->options->diff, text));
}

static void add_symbol(struct table *table, const struct diff_function *function, size_t columns)
{
	if (!function) {
		strbuf_adds(&table->cell, "[.] [unknown]");
		return;
	}
	strbuf_adds(&table->cell, frame_mode_mark(function->mode));
	if (function->symbol == DIFF_NONE)
		strbuf_adds(&table->cell, "[unknown]");
	else
		safe_text_add_function(&table->cell,
				       profile_diff_text(table->options->diff, function->symbol),
				       columns > 4 ? columns - 4 : 1);
}

static void add_key(struct table *table, const struct diff_row *row, enum diff_column column, size_t columns)
{
	const struct diff_function *function =
		row->function == DIFF_NONE ? NULL :
					     profile_diff_function(table->options->diff, row->function);

	switch (column) {
	case CELL_COMM: add_text(table, row->comm); break;
	case CELL_DSO: add_text(table, function ? function->dso : DIFF_NONE); break;
	case CELL_SYMBOL: add_symbol(table, function, columns); break;
	default:
		if (row->cpu == DIFF_NONE)
			strbuf_adds(&table->cell, "-01"); /* as perf, if it was not recorded */
		else
			strbuf_addf(&table->cell, "%03" PRIu32, row->cpu);
	}
}

/* Fits a name into `columns` (SIZE_MAX: any width). */
static void make_cell(struct table *table, const struct diff_line *line, enum diff_column column,
		      size_t columns)
{
	const struct diff_row *row = profile_diff_row(table->options->diff, line->row);

	strbuf_reset(&table->cell);
	switch (column) {
	case CELL_BASELINE: add_value(table, &line->self); break;
	case CELL_DELTA: add_delta(table, &line->self, line->self_verdict); break;
	case CELL_INTERVAL: add_interval(table, &line->self); break;
	case CELL_CHILDREN: add_value(table, &line->total); break;
	case CELL_CHILDREN_DELTA: add_delta(table, &line->total, line->total_verdict); break;
	case CELL_CHILDREN_INTERVAL: add_interval(table, &line->total); break;
	case CELL_PERIOD_BEFORE: strbuf_addf(&table->cell, "%" PRIu64, row->self[0].weight); break;
	case CELL_PERIOD_AFTER: strbuf_addf(&table->cell, "%" PRIu64, row->self[1].weight); break;
	default: add_key(table, row, column, columns);
	}
}

static bool is_key(enum diff_column column)
{
	return column >= CELL_COMM;
}

static const char *heading_of(const struct table *table, enum diff_column column)
{
	static const char *const headings[CELL_COUNT] = {
		[CELL_BASELINE] = "Baseline",
		[CELL_CHILDREN] = "Children",
		[CELL_PERIOD_BEFORE] = "Period (old)",
		[CELL_PERIOD_AFTER] = "Period (new)",
		[CELL_COMM] = "Command",
		[CELL_CPU] = "CPU",
		[CELL_DSO] = "Shared Object",
		[CELL_SYMBOL] = "Symbol",
	};
	static const char *const computed[] = { "Delta Abs ", "Delta ", "Ratio ", "Weighted diff " };

	if (column == CELL_DELTA || column == CELL_CHILDREN_DELTA)
		return computed[table->result->request.compute];
	return headings[column] ? headings[column] : "Interval";
}

/* --- layout ------------------------------------------------------------------- */

static void use(struct table *table, enum diff_column column, bool wanted)
{
	if (wanted)
		table->columns[table->column_count++] = column;
}

static void choose_columns(struct table *table)
{
	const struct diff_table_options *options = table->options;

	use(table, CELL_BASELINE, true);
	use(table, CELL_DELTA, true);
	use(table, CELL_INTERVAL, true);
	use(table, CELL_CHILDREN, options->children);
	use(table, CELL_CHILDREN_DELTA, options->children);
	use(table, CELL_CHILDREN_INTERVAL, options->children && !options->canvas.columns);
	use(table, CELL_PERIOD_BEFORE, options->period);
	use(table, CELL_PERIOD_AFTER, options->period);
	use(table, CELL_COMM, options->keys & DIFF_BY_COMM);
	use(table, CELL_CPU, options->keys & DIFF_BY_CPU);
	use(table, CELL_DSO, options->keys & DIFF_BY_DSO);
	use(table, CELL_SYMBOL, options->keys & DIFF_BY_SYMBOL);
}

/*
 * Least verdict of a row that is shown without --all. If differences between programs cannot be told from those between runs,
 * shows rows that may be either.
 */
static enum diff_verdict least_verdict(const struct diff_result *result)
{
	return result->claims ? DIFF_PROGRAMS : DIFF_RUNS;
}

bool view_diff_has(const struct diff_table_options *options, const struct diff_line *line)
{
	return !options->baseline_only || line->self.value[COMPARE_BEFORE] > 0;
}

/* As in a table without children, functions that only called others have no row. */
static bool is_row(const struct table *table, const struct diff_line *line)
{
	return view_diff_has(table->options, line) && (table->options->children || is_sampled(&line->self));
}

static bool differs(const struct table *table, const struct diff_line *line)
{
	return diff_line_verdict(line, table->options->children) >= least_verdict(table->result);
}

static bool is_shown(const struct table *table, const struct diff_line *line)
{
	return is_row(table, line) && (table->options->all || differs(table, line));
}

static bool has_rows(const struct table *table)
{
	for (uint32_t i = 0; i < table->result->count; i++)
		if (is_shown(table, &table->result->lines[i]))
			return true;
	return false;
}

static void set_widths(struct table *table)
{
	size_t width = 0, i;

	for (i = 0; i < table->column_count; i++)
		table->widths[table->columns[i]] = strlen(heading_of(table, table->columns[i]));
	for (uint32_t number = 0; number < table->result->count; number++) {
		if (!is_shown(table, &table->result->lines[number]))
			continue;
		for (i = 0; i < table->column_count; i++) {
			enum diff_column column = table->columns[i];
			size_t columns;

			make_cell(table, &table->result->lines[number], column, SIZE_MAX);
			columns = safe_text_columns(table->cell.bytes);
			if (columns > table->widths[column])
				table->widths[column] = columns;
		}
	}
	for (i = 0; i < table->column_count; i++)
		width += 2 + table->widths[table->columns[i]];
	if (table->options->canvas.columns && width > table->options->canvas.columns) {
		size_t *last = &table->widths[table->columns[table->column_count - 1]];
		size_t excess = width - table->options->canvas.columns;

		*last = *last > excess + LEAST_SYMBOL ? *last - excess :
			*last < LEAST_SYMBOL          ? *last :
							LEAST_SYMBOL;
	}
}

static void add_spaces(struct strbuf *out, size_t count)
{
	while (count--)
		strbuf_addc(out, ' ');
}

static void add_cell(struct table *table, size_t number)
{
	enum diff_column column = table->columns[number];
	size_t width = table->widths[column], columns = safe_text_columns(table->cell.bytes);
	bool last = number + 1 == table->column_count;

	if (table->options->separator) {
		for (size_t i = 0; i < table->cell.size; i++)
			if (table->cell.bytes[i] == table->options->separator)
				table->cell.bytes[i] = '.'; /* as in xprof report */
		strbuf_add(table->out, table->cell.bytes, table->cell.size);
		return;
	}
	if (!is_key(column) && columns < width)
		add_spaces(table->out, width - columns);
	strbuf_add(table->out, table->cell.bytes, table->cell.size);
	if (is_key(column) && !last && columns < width)
		add_spaces(table->out, width - columns);
}

static void add_row(struct table *table, const struct diff_line *line)
{
	const struct color color = table->options->canvas.color;
	bool colored = color.enabled && line->self_verdict == DIFF_PROGRAMS;

	for (size_t i = 0; i < table->column_count; i++) {
		bool delta = colored && table->columns[i] == CELL_DELTA;

		if (!table->options->separator)
			strbuf_adds(table->out, "  ");
		else if (i)
			strbuf_addc(table->out, table->options->separator);
		make_cell(table, line, table->columns[i],
			  table->options->canvas.columns ? table->widths[table->columns[i]] : SIZE_MAX);
		strbuf_adds(table->out,
			    delta ? color_on(color, line->self.delta > 0 ? COLOR_HOT : COLOR_WARM) : "");
		add_cell(table, i);
		strbuf_adds(table->out, delta ? color_off(color) : "");
	}
	strbuf_addc(table->out, '\n');
}

static void add_headings(struct table *table)
{
	const struct color color = table->options->canvas.color;
	char separator = table->options->separator;

	strbuf_adds(table->out, color_on(color, COLOR_HEADING));
	strbuf_adds(table->out, "# ");
	for (size_t i = 0; i < table->column_count; i++) {
		enum diff_column column = table->columns[i];
		const char *heading = heading_of(table, column);
		int width = separator ? 0 : (int)table->widths[column];

		if (i && separator)
			strbuf_addc(table->out, separator);
		else if (i)
			strbuf_adds(table->out, "  ");
		if (is_key(column))
			strbuf_addf(table->out, "%-*s", i + 1 < table->column_count ? width : 0, heading);
		else
			strbuf_addf(table->out, "%*s", width, heading);
	}
	strbuf_adds(table->out, color_off(color));
	strbuf_addc(table->out, '\n');
	for (size_t i = 0; !separator && i < table->column_count; i++) {
		size_t dots = table->widths[table->columns[i]];

		strbuf_adds(table->out, i ? "  " : "# ");
		for (dots = dots < LAST_DOTS ? dots : LAST_DOTS; dots; dots--)
			strbuf_addc(table->out, '.');
	}
	strbuf_adds(table->out, separator ? "" : "\n#\n");
}

/* --- around the rows ---------------------------------------------------------- */

static const char *normalization(enum diff_normalize normalize)
{
	switch (normalize) {
	case DIFF_SHARE: return "shares of all that was sampled";
	case DIFF_TIME: return "for each second of the recording";
	case DIFF_WORK: return "for each unit of work";
	case DIFF_SAMPLES: return "numbers of samples";
	case DIFF_NOTHING: break;
	}
	return "as recorded";
}

/* Totals of the two recordings, if they can differ. */
static void add_whole(struct table *table)
{
	const struct comparison *whole = &table->result->whole;

	if (table->result->request.normalize == DIFF_SHARE)
		return;
	strbuf_reset(&table->cell);
	diff_number_add(&table->cell, &table->options->number, whole->value[COMPARE_BEFORE], false);
	strbuf_adds(&table->cell, " before, ");
	diff_number_add(&table->cell, &table->options->number, whole->value[COMPARE_AFTER], false);
	strbuf_adds(&table->cell, " after: ");
	diff_number_add(&table->cell, &table->options->number, whole->delta, true);
	if (isfinite(whole->ratio))
		strbuf_addf(&table->cell, " (%+.2f%%, %s %+.2f%% .. %+.2f%%)", 100 * (whole->ratio - 1),
			    table->result->knows_runs ? "interval" : "sampling error alone",
			    100 * (whole->ratio_low - 1), 100 * (whole->ratio_high - 1));
	strbuf_addf(table->out, "# in all: %s\n", table->cell.bytes);
}

/* How many rows differ, and in which sense. */
static void add_count(struct table *table, uint32_t rows)
{
	const struct diff_result *result = table->result;
	const double percent = 100 * result->request.confidence;
	uint32_t differing = 0;

	for (uint32_t i = 0; i < result->count; i++)
		differing += is_row(table, &result->lines[i]) && differs(table, &result->lines[i]);
	strbuf_addf(table->out, "# %" PRIu32 " of %" PRIu32 " rows differ", differing, rows);
	if (result->knows_runs && differing)
		strbuf_addf(table->out, ", with %g%% confidence not one of them by chance", percent);
	else if (result->knows_runs)
		strbuf_addf(table->out, " by more than chance (confidence %g%%)", percent);
	else if (result->claims)
		strbuf_addf(table->out, " by more than %s (confidence %g%%)",
			    result->knows_slices ? "the recordings vary within themselves" : "sampling error",
			    percent);
	else
		strbuf_addf(table->out,
			    " by more than sampling error (confidence %g%%); runs may differ by as much",
			    percent);
	if (table->options->all)
		strbuf_adds(table->out, result->claims ? "; ~ marks chance, ? what runs may differ by" :
							 "; ~ marks the others");
	strbuf_adds(table->out, "\n#\n");
}

static void add_head(struct table *table, uint32_t rows)
{
	const struct diff_table_options *options = table->options;

	strbuf_adds(table->out, "# event ");
	safe_text_add(table->out, options->event[COMPARE_BEFORE]);
	if (strcmp(options->event[COMPARE_BEFORE], options->event[COMPARE_AFTER]) != 0) {
		strbuf_adds(table->out, " and ");
		safe_text_add(table->out, options->event[COMPARE_AFTER]);
	}
	strbuf_addf(table->out, ", %s\n", normalization(table->result->request.normalize));
	add_whole(table);
	add_count(table, rows);
}

/* Rows that are more than sampling error, but not more than runs may differ by. */
static uint32_t count_doubtful(const struct table *table)
{
	uint32_t count = 0;

	for (uint32_t i = 0; i < table->result->count; i++)
		count += is_row(table, &table->result->lines[i]) &&
			 diff_line_verdict(&table->result->lines[i], table->options->children) == DIFF_RUNS;
	return count;
}

/* Says how many rows are not shown, so that the table does not look complete. */
static void add_omission(struct table *table, uint32_t shown, uint32_t eligible, uint32_t rows)
{
	const struct color color = table->options->canvas.color;
	uint32_t doubtful = table->options->all || !table->result->claims ? 0 : count_doubtful(table);

	if (table->options->quiet || table->options->separator || (shown == eligible && eligible == rows))
		return;
	strbuf_adds(table->out, color_on(color, COLOR_FAINT));
	if (shown < eligible)
		strbuf_addf(table->out, "# %" PRIu32 " more rows; --top 0 shows all\n", eligible - shown);
	if (doubtful)
		strbuf_addf(table->out,
			    "# %" PRIu32 " more rows differ by more than sampling error, but %s; "
			    "--all shows them, marked ?\n",
			    doubtful,
			    table->result->knows_runs ? "runs of either side do as well" :
							"parts of the recordings do as well");
	if (eligible + doubtful < rows)
		strbuf_addf(table->out,
			    "# %" PRIu32 " more rows that may differ by chance only; --all shows them\n",
			    rows - eligible - doubtful);
	strbuf_adds(table->out, color_off(color));
}

static void add_rows(struct table *table, uint32_t *shown, uint32_t *eligible)
{
	const struct diff_table_options *options = table->options;

	*shown = *eligible = 0;
	for (uint32_t i = 0; i < table->result->count; i++) {
		const struct diff_line *line = &table->result->lines[i];

		if (!is_shown(table, line) || ((*eligible)++ >= options->top && options->top))
			continue;
		++*shown;
		add_row(table, line);
		if (options->callers)
			diff_callers_draw(table->out, options->diff, table->result, line, &options->number,
					  GRAPH_INDENT);
	}
}

static uint32_t count_rows(const struct table *table)
{
	uint32_t count = 0;

	for (uint32_t i = 0; i < table->result->count; i++)
		count += is_row(table, &table->result->lines[i]);
	return count;
}

void view_diff_render(const struct diff_table_options *options, struct strbuf *out)
{
	struct table table = {
		.options = options, .result = options->result, .out = out, .cell = STRBUF_INIT
	};
	uint32_t rows = count_rows(&table), shown, eligible;

	choose_columns(&table);
	set_widths(&table);
	if (!options->quiet)
		add_head(&table, rows);
	if (!options->quiet && has_rows(&table))
		add_headings(&table);
	add_rows(&table, &shown, &eligible);
	add_omission(&table, shown, eligible, rows);
	strbuf_fini(&table.cell);
}
