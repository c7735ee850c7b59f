/*
 * Rows are sorted level by level: rows with equal keys of a level form a group, and the rows of a group form
 * the next level.
 */

#include "report/table/table_tree.h"

#include <stdlib.h>
#include <string.h>

#include "base/saturating.h"
#include "base/xalloc.h"
#include "report/rows/hist_row.h"
#include "report/rows/row_graph.h"

enum { INDENT = 3 }; /* columns per level, as in perf */

struct level {
	struct column_list keys;
};

struct tree {
	struct table *table;
	struct level levels[COLUMN_COUNT];
	size_t level_count;
	struct column_list sums;
	struct row_graph_drawer *drawer; /* NULL: no call graphs */
};

/* Rows that become one line at some level. */
struct group {
	struct hist_row sum; /* sum of the rows, with the keys of the first */
	struct hist_row *rows;
	uint32_t count;
};

/* --- levels ------------------------------------------------------------------- */

static void init(struct tree *tree, struct table *table)
{
	const struct column_list *outputs = &table->outputs;
	unsigned int last = UINT32_MAX;

	*tree = (struct tree){ .table = table };
	for (size_t i = 0; i < outputs->count; i++) {
		const enum column column = outputs->items[i];
		const unsigned int level = table->options->layout.levels[column];
		struct column_list *keys;

		if (!column_is_key(column)) {
			tree->sums.items[tree->sums.count++] = column;
			continue;
		}
		tree->level_count += level != last;
		last = level;
		keys = &tree->levels[tree->level_count - 1].keys;
		keys->items[keys->count++] = column;
	}
}

static void add_repeated(struct strbuf *out, char byte, size_t count)
{
	while (count--)
		strbuf_addc(out, byte);
}

static size_t inner_indent(const struct tree *tree)
{
	return tree->level_count > 1 ? (tree->level_count - 1) * INDENT : 0;
}

/* --- headings ----------------------------------------------------------------- */

/* "Command+Shared Object / Symbol" */
static void name_levels(const struct tree *tree, struct strbuf *names)
{
	for (size_t level = 0; level < tree->level_count; level++) {
		const struct column_list *keys = &tree->levels[level].keys;

		if (level)
			strbuf_adds(names, " / ");
		for (size_t i = 0; i < keys->count; i++) {
			const char *heading = table_row_heading(tree->table, keys->items[i]);

			strbuf_addf(names, "%s%s", i ? "+" : "", heading + strspn(heading, " "));
		}
	}
}

static size_t widest_level(const struct tree *tree)
{
	size_t widest = 0;

	for (size_t level = 0; level < tree->level_count; level++) {
		const struct column_list *keys = &tree->levels[level].keys;
		size_t width = level * INDENT + keys->count - 1;

		for (size_t i = 0; i < keys->count; i++)
			width += tree->table->widths[keys->items[i]];
		if (width > widest)
			widest = width;
	}
	return widest;
}

static void add_names(const struct tree *tree, const struct strbuf *names)
{
	struct table *table = tree->table;
	const char separator = table->options->separator;

	strbuf_adds(table->out, "# ");
	add_repeated(table->out, ' ', separator ? 0 : inner_indent(tree));
	for (size_t i = 0; i < tree->sums.count; i++) {
		const enum column column = tree->sums.items[i];

		strbuf_addf(table->out, "%*s", separator ? 0 : (int)table->widths[column],
			    table_row_heading(table, column));
		if (separator)
			strbuf_addc(table->out, separator);
		else
			strbuf_adds(table->out, "  ");
	}
	strbuf_addf(table->out, "%s\n", names->bytes);
}

static void add_dots(const struct tree *tree, size_t names_width)
{
	struct table *table = tree->table;
	size_t width = widest_level(tree);

	strbuf_adds(table->out, "# ");
	add_repeated(table->out, '.', inner_indent(tree));
	for (size_t i = 0; i < tree->sums.count; i++)
		add_repeated(table->out, '.', table->widths[tree->sums.items[i]] + (i ? 2 : 0));
	strbuf_adds(table->out, "  ");
	width = width > names_width ? width : names_width;
	add_repeated(table->out, '.', width > TABLE_LAST_DOTS ? TABLE_LAST_DOTS : width);
	strbuf_adds(table->out, "\n#\n");
}

void table_tree_add_heading(struct table *table)
{
	struct strbuf names = STRBUF_INIT;
	struct tree tree;

	init(&tree, table);
	name_levels(&tree, &names);
	add_names(&tree, &names);
	if (!table->options->separator)
		add_dots(&tree, names.size);
	strbuf_fini(&names);
}

/* --- groups ------------------------------------------------------------------- */

struct comparison {
	const struct hist *hist;
	const struct column_list *keys;
};

static int compare_keys(const void *one, const void *other, void *context)
{
	const struct comparison *by = context;
	int difference = 0;

	for (size_t i = 0; i < by->keys->count && !difference; i++)
		difference = row_order_compare(by->hist, by->keys->items[i], one, other);
	return difference;
}

static int compare_groups(const void *one, const void *other, void *context)
{
	const struct group *a = one, *b = other;

	if (a->sum.self_weight != b->sum.self_weight)
		return a->sum.self_weight > b->sum.self_weight ? -1 : 1;
	return compare_keys(&a->sum, &b->sum, context);
}

static void add_to_sum(struct hist_row *sum, const struct hist_row *row)
{
	saturating_add(&sum->self_count, row->self_count);
	saturating_add(&sum->self_weight, row->self_weight);
	saturating_add(&sum->kernel_weight, row->kernel_weight);
	saturating_add(&sum->user_weight, row->user_weight);
}

/* Makes groups of the rows, the heaviest first. The caller frees them. */
static struct group *make_groups(const struct tree *tree, struct hist_row *rows, uint32_t count, size_t level,
				 size_t *group_count)
{
	struct comparison by = { &tree->table->hist, &tree->levels[level].keys };
	struct group *groups = NULL;
	size_t capacity = 0;

	*group_count = 0;
	qsort_r(rows, count, sizeof(*rows), compare_keys, &by);
	for (uint32_t i = 0; i < count; i++) {
		if (i && !compare_keys(&rows[i - 1], &rows[i], &by)) {
			groups[*group_count - 1].count++;
			add_to_sum(&groups[*group_count - 1].sum, &rows[i]);
			continue;
		}
		*ARRAY_ADD(groups, *group_count, capacity) =
			(struct group){ .sum = rows[i], .rows = &rows[i], .count = 1 };
	}
	if (groups)
		qsort_r(groups, *group_count, sizeof(*groups), compare_groups, &by);
	return groups;
}

/* --- rows --------------------------------------------------------------------- */

/* Removes the blanks before right-aligned numbers: in a tree they begin where names do. */
static void drop_blanks(struct strbuf *out, size_t start)
{
	const size_t blanks = strspn(out->bytes + start, " ");

	memmove(out->bytes + start, out->bytes + start + blanks, out->size - start - blanks);
	strbuf_cut(out, out->size - blanks);
}

static void add_line(const struct tree *tree, const struct hist_row *row, size_t level)
{
	struct table *table = tree->table;
	const char separator = table->options->separator;
	const struct column_list *keys = &tree->levels[level].keys;

	add_repeated(table->out, ' ', level * INDENT);
	for (size_t i = 0; i < tree->sums.count; i++) {
		if (!separator)
			strbuf_adds(table->out, "  ");
		else if (i)
			strbuf_addc(table->out, separator);
		table_row_add_sum(table, row, tree->sums.items[i]);
	}
	add_repeated(table->out, ' ', separator ? 0 : inner_indent(tree));
	for (size_t i = 0; i < keys->count; i++) {
		size_t start;

		if (separator)
			strbuf_addc(table->out, separator);
		else
			strbuf_adds(table->out, "  ");
		table->last = keys->items[keys->count - 1]; /* this one is not padded */
		start = table->out->size;
		table_row_add_key(table, row, keys->items[i]);
		drop_blanks(table->out, start);
	}
	strbuf_addc(table->out, '\n');
}

static void add_level(const struct tree *tree, struct hist_row *rows, uint32_t count, size_t level);

static void add_group(const struct tree *tree, const struct group *group, size_t level)
{
	add_line(tree, &group->sum, level);
	if (level + 1 < tree->level_count)
		add_level(tree, group->rows, group->count, level + 1);
	else if (tree->drawer)
		row_graph_draw(tree->drawer, group->rows, tree->table->out);
}

/* Written if there are rows, but none reaches the limit. */
static void add_nothing(const struct tree *tree, size_t level)
{
	size_t width = inner_indent(tree) + level * INDENT + 4;

	for (size_t i = 0; i < tree->sums.count; i++)
		width += tree->table->widths[tree->sums.items[i]] + (i ? 2 : 0);
	add_repeated(tree->table->out, ' ', tree->table->options->separator ? 0 : width);
	strbuf_addf(tree->table->out, "no entry >= %.2f%%\n", tree->table->options->percent_limit);
}

static void add_level(const struct tree *tree, struct hist_row *rows, uint32_t count, size_t level)
{
	const struct table_options *options = tree->table->options;
	const unsigned int top = level == 0 && options->top ? options->top : UINT32_MAX;
	size_t group_count, shown = 0;
	struct group *groups = make_groups(tree, rows, count, level, &group_count);

	for (size_t i = 0; i < group_count && shown < top; i++) {
		if (hist_percent(&tree->table->hist, groups[i].sum.self_weight) < options->percent_limit)
			continue;
		add_group(tree, &groups[i], level);
		shown++;
	}
	if (!shown && level)
		add_nothing(tree, level);
	free(groups);
}

void table_tree_add_rows(struct table *table)
{
	const struct table_options *options = table->options;
	struct tree tree;

	init(&tree, table);
	if (options->graph.style != ROW_GRAPH_OFF)
		tree.drawer =
			row_graph_drawer_create(&table->hist, &options->graph, options->layout.symbol_first,
						table->input->canvas.columns);
	if (tree.level_count)
		add_level(&tree, table->hist.rows, table->hist.row_count, 0);
	if (tree.drawer)
		row_graph_drawer_destroy(tree.drawer);
}
