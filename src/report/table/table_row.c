/* One row of a table: shares, sums and keys, aligned or with a separator between them. */

#include "report/table/table_row.h"

#include <string.h>

#include "text/percent_text.h"
#include "text/safe_text.h"

#define HOT_PERCENT 5.0 /* perf's thresholds of red and green */
#define WARM_PERCENT 0.5

const char *table_row_heading(const struct table *table, enum column column)
{
	if (column_is_field(column))
		return sample_keys_field_name(table->input->keys, table->event, column_sample_key(column));
	return column_heading(column, table->options->layout.named_self);
}

/* The sum that the column shows, as a share or as a count. */
static uint64_t sum_of(const struct hist_row *row, enum column column)
{
	switch (column) {
	case COLUMN_CHILDREN: return row->total_weight;
	case COLUMN_OVERHEAD_SYS: return row->kernel_weight;
	case COLUMN_OVERHEAD_US: return row->user_weight;
	case COLUMN_SAMPLE: return row->self_count;
	default: return row->self_weight;
	}
}

static bool is_share(enum column column)
{
	return !column_is_key(column) && column != COLUMN_SAMPLE && column != COLUMN_PERIOD;
}

static void add_spaces(struct strbuf *buf, size_t count)
{
	strbuf_add_right(buf, "", (unsigned int)count);
}

static void add_share(struct table *table, double percent, size_t width)
{
	struct color color = table->input->canvas.color;
	enum color_role role = percent >= HOT_PERCENT ? COLOR_HOT : COLOR_WARM;
	bool colored = color.enabled && percent >= WARM_PERCENT;

	percent_text_add(&table->cell, percent);
	if (table->cell.size < width)
		add_spaces(table->out, width - table->cell.size);
	if (colored)
		strbuf_adds(table->out, color_on(color, role));
	strbuf_add(table->out, table->cell.bytes, table->cell.size);
	if (colored)
		strbuf_adds(table->out, color_off(color));
}

void table_row_add_sum(struct table *table, const struct hist_row *row, enum column column)
{
	size_t width = table->options->separator ? 0 : table->widths[column];
	uint64_t sum = sum_of(row, column);

	strbuf_reset(&table->cell);
	if (is_share(column))
		add_share(table, hist_percent(&table->hist, sum), width);
	else
		strbuf_add_decimal(table->out, sum, (unsigned int)width);
}

/* Adds a key that is cut to the width of its column. Returns its width. */
static size_t add_fitted_key(struct table *table, const struct hist_row *row, enum column column)
{
	const size_t width = table->widths[column];
	size_t columns;

	strbuf_reset(&table->cell);
	table_cell_add(&table->cell, &table->context, row, column, width);
	columns = safe_text_columns(table->cell.bytes);
	if (columns > width) {
		safe_text_add_cut(table->out, table->cell.bytes, width);
		return width;
	}
	strbuf_add(table->out, table->cell.bytes, table->cell.size);
	return columns;
}

/* As perf: a separator within a name becomes a dot. */
static void replace_separator(struct table *table, size_t start)
{
	for (size_t i = start; i < table->out->size; i++)
		if (table->out->bytes[i] == table->options->separator)
			table->out->bytes[i] = '.';
}

/* Is text that is too long for the column cut? Yes on terminals, and if the user set the column's width. */
static bool is_fitted(const struct table *table, enum column column)
{
	if (table->options->separator)
		return false;
	for (size_t i = 0; i < table->options->column_width_count && i < table->outputs.count; i++)
		if (table->outputs.items[i] == column)
			return true;
	return table->input->canvas.columns != 0;
}

/* As perf: fields of tracepoints, which are mostly numbers. */
bool table_row_is_right_aligned(enum column column)
{
	return column_is_field(column);
}

/* Pads the text from `start` on with blanks on its left. */
static void align_right(struct table *table, size_t start, size_t width)
{
	const size_t columns = safe_text_columns(table->out->bytes + start), size = table->out->size - start;
	const size_t blanks = columns < width ? width - columns : 0;

	add_spaces(table->out, blanks);
	memmove(table->out->bytes + start + blanks, table->out->bytes + start, size);
	memset(table->out->bytes + start, ' ', blanks);
}

void table_row_add_key(struct table *table, const struct hist_row *row, enum column column)
{
	const size_t width = table->widths[column], start = table->out->size;
	const bool fitted = is_fitted(table, column);
	size_t columns = 0;

	if (fitted)
		columns = add_fitted_key(table, row, column);
	else
		table_cell_add(table->out, &table->context, row, column,
			       table->input->canvas.columns ? width : SIZE_MAX);
	if (table->options->separator) {
		replace_separator(table, start);
	} else if (table_row_is_right_aligned(column)) {
		align_right(table, start, width);
	} else if (column != table->last) {
		if (!fitted)
			columns = safe_text_columns(table->out->bytes + start);
		if (columns < width)
			add_spaces(table->out, width - columns);
	}
}

void table_row_add(struct table *table, uint32_t number)
{
	const struct hist_row *row = &table->hist.rows[number];
	const struct column_list *outputs = &table->outputs;
	size_t i;

	for (i = 0; i < outputs->count; i++) {
		enum column column = outputs->items[i];

		if (!table->options->separator)
			strbuf_adds(table->out, "  ");
		else if (i)
			strbuf_addc(table->out, table->options->separator);
		if (column_is_key(column))
			table_row_add_key(table, row, column);
		else
			table_row_add_sum(table, row, column);
	}
	strbuf_addc(table->out, '\n');
}
