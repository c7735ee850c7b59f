/*
 * row_graph_draw() makes a call tree of the row's hits, sorts it by weight, and draws it: draw_graph() as branches,
 * draw_paths() as a list. `rails` is the state of the drawing: a byte for each level says whether its vertical line goes on.
 */
#include "report/rows/row_graph.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#include "base/xalloc.h"
#include "report/rows/frame_text.h"
#include "report/rows/row_branches.h"
#include "report/rows/row_tree.h"
#include "text/percent_text.h"
#include "text/safe_text.h"

enum {
	MARGIN_COLUMNS = 12,
	LEVEL_COLUMNS = 11, /* "|--12.34%--" */
	/* of branching; each is 11 columns further right, so deeper levels are unreadable */
	MAX_LEVELS = 1000,
	MIN_NAME_COLUMNS = 20, /* on narrow terminals names are cut down to this, then lines wrap */
};

struct drawing {
	struct strbuf *out;
	const struct hist *hist;
	const struct call_tree *tree;
	const struct row_graph_options *options;
	const struct row_branches *branches; /* NULL: none are known */
	uint64_t least_weight;               /* lighter branches are left out */
	size_t columns;
	unsigned margin;     /* columns before the first level */
	struct strbuf rails; /* one byte a level: whether its vertical line goes on */
};

struct row_graph_drawer {
	const struct hist *hist;
	const struct row_graph_options *options;
	bool skip_first;
	size_t columns;
	struct row_trees *trees;
};

struct row_graph_drawer *row_graph_drawer_create(const struct hist *hist,
						 const struct row_graph_options *options, bool skip_first,
						 size_t columns)
{
	struct row_graph_drawer *drawer = xcalloc(1, sizeof(*drawer));

	drawer->hist = hist;
	drawer->options = options;
	drawer->skip_first = skip_first;
	drawer->columns = columns;
	drawer->trees = row_trees_create(hist, options->key);
	return drawer;
}

void row_graph_drawer_destroy(struct row_graph_drawer *drawer)
{
	if (!drawer)
		return;
	row_trees_destroy(drawer->trees);
	free(drawer);
}

static const struct call_node *node_at(const struct drawing *drawing, uint32_t node)
{
	return call_tree_at(drawing->tree, node);
}

/* The heaviest come first: if one is too light, so are all after it. */
static uint32_t heavy_enough(const struct drawing *drawing, uint32_t node, uint64_t least)
{
	return node != CALL_TREE_NONE && node_at(drawing, node)->total_weight >= least ? node :
											 CALL_TREE_NONE;
}

/* The only child of a node at which no samples end; else CALL_TREE_NONE. */
static uint32_t only_continuation(const struct drawing *drawing, uint32_t node)
{
	uint32_t child = node_at(drawing, node)->first_child;

	if (child == CALL_TREE_NONE || node_at(drawing, node)->self_count ||
	    node_at(drawing, child)->next_sibling != CALL_TREE_NONE)
		return CALL_TREE_NONE;
	return child;
}

static uint32_t frame_of_key(const struct drawing *drawing, uint32_t key)
{
	const struct frame_table *frames = drawing->hist->frames;

	if (drawing->options->key == ROW_GRAPH_FUNCTION)
		return key;
	return row_tree_is_guessed(key) ? frames->guessed_by_location[row_tree_location(key)] :
					  frames->by_location[row_tree_location(key)];
}

/* Adds a line number after a function's name, or the offset from its beginning in bytes. */
static void add_line(struct drawing *drawing, uint32_t key)
{
	const struct profile *profile = drawing->hist->profile;
	const struct profile_location *location;

	if (drawing->options->key == ROW_GRAPH_FUNCTION)
		return;
	location = profile_location_at(profile, row_tree_location(key));
	if (location->file) {
		strbuf_addc(drawing->out, ' ');
		safe_text_add(drawing->out,
			      profile_text(profile,
					   drawing->hist->options.sources->files[row_tree_location(key)]));
		strbuf_addf(drawing->out, ":%" PRIu32, location->line);
	} else if (location->function != PROFILE_NONE && !location->no_address) {
		strbuf_addf(drawing->out, " +%" PRIu64,
			    location->address - profile_function_at(profile, location->function)->start);
	}
}

/* As in perf, lists of paths have no remarks. */
static void add_remark(struct drawing *drawing, uint32_t node)
{
	const struct branch_remark *remark = row_branches_at(drawing->branches, node);

	if (remark && drawing->options->style != ROW_GRAPH_FLAT &&
	    drawing->options->style != ROW_GRAPH_FOLDED)
		branch_remark_add_text(drawing->out, remark);
}

static void add_frame(struct drawing *drawing, uint32_t node, size_t used_columns)
{
	const uint32_t key = node_at(drawing, node)->key;
	const struct frame *frame = &drawing->hist->frames->frames[frame_of_key(drawing, key)];
	const struct profile *profile = drawing->hist->profile;
	size_t columns = SIZE_MAX;

	if (drawing->columns)
		columns = drawing->columns > used_columns + MIN_NAME_COLUMNS ?
				  drawing->columns - used_columns :
				  MIN_NAME_COLUMNS;
	if (frame->name != PROFILE_NONE) {
		safe_text_add_function(drawing->out, profile_text(profile, frame->name), columns);
		add_line(drawing, key);
	} else {
		strbuf_addf(drawing->out, "0x%" PRIx64, frame->address);
		if (frame->dso_name != PROFILE_NONE) {
			strbuf_adds(drawing->out, " (");
			safe_text_add(drawing->out, profile_text(profile, frame->dso_name));
			strbuf_addc(drawing->out, ')');
		}
	}
	if (frame->inlined)
		strbuf_adds(drawing->out, FRAME_INLINED_MARK);
	if (frame->guessed)
		strbuf_adds(drawing->out, FRAME_GUESSED_MARK);
	if (drawing->branches)
		add_remark(drawing, node);
}

static void add_value(struct drawing *drawing, uint64_t count, uint64_t weight, uint64_t total)
{
	switch (drawing->options->value) {
	case ROW_GRAPH_PERIOD: strbuf_addf(drawing->out, "%" PRIu64, weight); break;
	case ROW_GRAPH_COUNT: strbuf_addf(drawing->out, "%" PRIu64, count); break;
	case ROW_GRAPH_PERCENT:
		percent_text_add(drawing->out, total ? 100.0 * (double)weight / (double)total : 0.0);
		break;
	}
}

static void add_spaces(struct strbuf *out, size_t count)
{
	while (count--)
		strbuf_addc(out, ' ');
}

/* Ends a line without the blanks at its end. */
static void end_line(struct drawing *drawing)
{
	struct strbuf *out = drawing->out;

	while (out->size && out->bytes[out->size - 1] == ' ')
		out->bytes[--out->size] = '\0';
	strbuf_addc(out, '\n');
}

static void add_rails(struct drawing *drawing, size_t levels)
{
	size_t i;

	add_spaces(drawing->out, MARGIN_COLUMNS + drawing->margin);
	for (i = 0; i < levels; i++)
		strbuf_adds(drawing->out, drawing->rails.bytes[i] == '|' ? "|          " : "           ");
}

static size_t columns_before_name(const struct drawing *drawing)
{
	return MARGIN_COLUMNS + drawing->margin + drawing->rails.size * LEVEL_COLUMNS;
}

/* "|--12.34%--main": the first line of a branch. */
static void add_branch_head(struct drawing *drawing, uint64_t count, uint64_t weight, uint64_t total)
{
	size_t level = drawing->rails.size;

	add_rails(drawing, level - 1);
	strbuf_addc(drawing->out, drawing->rails.bytes[level - 1]);
	strbuf_adds(drawing->out, "--");
	add_value(drawing, count, weight, total);
	strbuf_adds(drawing->out, "--");
}

static void draw_branches(struct drawing *drawing, uint32_t first, uint64_t total, uint64_t branch_total);

/* Draws one branch: its undivided chain of calls, then its own branches. */
static void draw_branch(struct drawing *drawing, uint32_t node, uint64_t total)
{
	const struct call_node *head = node_at(drawing, node);
	bool relative = drawing->options->style == ROW_GRAPH_FRACTAL;
	uint32_t next;

	add_branch_head(drawing, head->total_count, head->total_weight, total);
	add_frame(drawing, node, columns_before_name(drawing));
	end_line(drawing);
	while ((next = only_continuation(drawing, node)) != CALL_TREE_NONE) {
		node = next;
		add_rails(drawing, drawing->rails.size);
		add_frame(drawing, node, columns_before_name(drawing));
		end_line(drawing);
	}
	if (relative) {
		uint64_t below = node_at(drawing, node)->total_weight - node_at(drawing, node)->self_weight;

		draw_branches(drawing, node_at(drawing, node)->first_child, below, below);
	} else {
		draw_branches(drawing, node_at(drawing, node)->first_child, total, UINT64_MAX);
	}
}

/* In fractal style: the sum of the branches that are not drawn. */
static void draw_rest(struct drawing *drawing, uint64_t rest, uint64_t total)
{
	drawing->rails.bytes[drawing->rails.size - 1] = ' ';
	add_branch_head(drawing, 0, rest, total);
	strbuf_adds(drawing->out, "[...]");
	end_line(drawing);
}

/*
 * Draws the branches from `first` on. Shares refer to `total`. `branch_total` is the sum of all branches, light ones included;
 * UINT64_MAX: do not show the rest.
 */
static void draw_branches(struct drawing *drawing, uint32_t first, uint64_t total, uint64_t branch_total)
{
	bool relative = drawing->options->style == ROW_GRAPH_FRACTAL;
	uint64_t least = relative ? (uint64_t)ceil((double)total * drawing->options->min_percent / 100.0) :
				    drawing->least_weight;
	uint32_t node = heavy_enough(drawing, first, least);
	uint64_t rest = relative ? branch_total : 0;
	size_t level = drawing->rails.size;
	unsigned drawn = 0;

	if (level >= MAX_LEVELS)
		return;
	for (; node != CALL_TREE_NONE; drawn++) {
		uint32_t next = heavy_enough(drawing, node_at(drawing, node)->next_sibling, least);

		if (drawing->options->print_limit && drawn == drawing->options->print_limit)
			break;
		strbuf_addc(&drawing->rails, '|');
		add_rails(drawing, level + 1);
		end_line(drawing);
		if (relative)
			rest -= node_at(drawing, node)->total_weight;
		if (next == CALL_TREE_NONE && !rest)
			drawing->rails.bytes[level] = ' '; /* the vertical line ends at the last branch */
		draw_branch(drawing, node, total);
		drawing->rails.bytes[drawing->rails.size = level] = '\0';
		node = next;
	}
	if (relative && rest && rest != branch_total) {
		strbuf_addc(&drawing->rails, '|');
		draw_rest(drawing, rest, total);
		drawing->rails.bytes[drawing->rails.size = level] = '\0';
	}
}

/* Draws the frames that all samples of the row share, without a share: it is the row's. Returns the first branch after them. */
static uint32_t draw_trunk(struct drawing *drawing, uint32_t node, bool skip_first)
{
	const unsigned limit = drawing->options->print_limit;
	unsigned step = 0, drawn = 0;
	uint32_t next;

	for (;; node = next, step++) {
		if ((step || !skip_first) && (!limit || drawn < limit)) {
			add_spaces(drawing->out, MARGIN_COLUMNS);
			strbuf_adds(drawing->out, drawn++ ? "   " : "|\n            ---");
			add_frame(drawing, node, MARGIN_COLUMNS + 3);
			end_line(drawing);
			drawing->margin = 3;
		}
		next = only_continuation(drawing, node);
		if (next == CALL_TREE_NONE)
			return node_at(drawing, node)->first_child;
	}
}

static uint64_t row_weight(const struct hist *hist, const struct hist_row *row)
{
	return hist->options.children ? row->total_weight : row->self_weight;
}

static void draw_graph(struct drawing *drawing, const struct hist_row *row, bool skip_first)
{
	uint64_t own = row_weight(drawing->hist, row);
	bool relative = drawing->options->style == ROW_GRAPH_FRACTAL;
	uint32_t first = heavy_enough(drawing, call_tree_first(drawing->tree), drawing->least_weight);
	uint64_t rest = own;
	size_t before = drawing->out->size;

	if (first == CALL_TREE_NONE)
		return;
	if (heavy_enough(drawing, node_at(drawing, first)->next_sibling, drawing->least_weight) ==
		    CALL_TREE_NONE &&
	    node_at(drawing, first)->total_weight == own) {
		uint32_t node = first;

		while (only_continuation(drawing, node) != CALL_TREE_NONE)
			node = only_continuation(drawing, node);
		rest = own - node_at(drawing, node)->self_weight;
		first = draw_trunk(drawing, first, skip_first);
	}
	draw_branches(drawing, first, relative ? own : hist_total(drawing->hist), rest);
	if (drawing->out->size > before)
		strbuf_addc(drawing->out, '\n');
}

/* --- styles flat and folded: a list or a line for each path ----------------------------------------------- */

struct ended_path {
	uint32_t node;
	uint64_t weight;
};

static int heavier_first(const void *one, const void *other)
{
	const struct ended_path *a = one, *b = other;

	if (a->weight != b->weight)
		return a->weight > b->weight ? -1 : 1;
	return a->node < b->node ? -1 : a->node > b->node;
}

static struct ended_path *ended_paths(const struct drawing *drawing, size_t *count)
{
	uint32_t nodes = call_tree_node_count(drawing->tree), node;
	struct ended_path *paths = xmalloc(((size_t)nodes + 1) * sizeof(*paths));

	*count = 0;
	for (node = 0; node < nodes; node++)
		if (node_at(drawing, node)->self_count &&
		    node_at(drawing, node)->self_weight >= drawing->least_weight)
			paths[(*count)++] = (struct ended_path){ node, node_at(drawing, node)->self_weight };
	qsort(paths, *count, sizeof(*paths), heavier_first);
	return paths;
}

static void add_steps(struct drawing *drawing, uint32_t last, const char *before_each, const char *between)
{
	size_t length = 0, i;
	uint32_t *steps, node;

	for (node = last; node != CALL_TREE_NONE; node = node_at(drawing, node)->parent)
		length++;
	steps = xmalloc(length * sizeof(*steps));
	for (node = last, i = length; node != CALL_TREE_NONE; node = node_at(drawing, node)->parent)
		steps[--i] = node;
	for (i = 0; i < length; i++) {
		strbuf_adds(drawing->out, before_each);
		add_frame(drawing, steps[i], 16);
		if (i + 1 < length)
			strbuf_adds(drawing->out, between);
	}
	free(steps);
	end_line(drawing);
}

static void draw_paths(struct drawing *drawing)
{
	bool flat = drawing->options->style == ROW_GRAPH_FLAT;
	size_t count, i;
	struct ended_path *paths = ended_paths(drawing, &count);

	if (!flat)
		drawing->columns = 0; /* lines for other programs are never cut */
	for (i = 0; i < count; i++) {
		const struct call_node *node = node_at(drawing, paths[i].node);

		if (drawing->options->print_limit && i == drawing->options->print_limit)
			break;
		if (flat)
			add_spaces(drawing->out, LEVEL_COLUMNS);
		add_value(drawing, node->self_count, node->self_weight, hist_total(drawing->hist));
		strbuf_adds(drawing->out, flat ? "\n" : " ");
		add_steps(drawing, paths[i].node, flat ? "                " : "", flat ? "\n" : ";");
		if (flat)
			strbuf_addc(drawing->out, '\n');
	}
	free(paths);
}

void row_graph_draw(struct row_graph_drawer *drawer, const struct hist_row *row, struct strbuf *out)
{
	const struct row_graph_options *options = drawer->options;
	struct drawing drawing = { .out = out,
				   .hist = drawer->hist,
				   .options = options,
				   .branches = row_trees_branches(drawer->trees),
				   .columns = drawer->columns };
	struct call_tree *tree;
	uint64_t total = options->style == ROW_GRAPH_FRACTAL ? row_weight(drawing.hist, row) :
							       hist_total(drawing.hist);

	drawing.least_weight = (uint64_t)((double)total * (options->min_percent / 100.0));
	if (options->style == ROW_GRAPH_OFF || row->first_hit == HIST_NO_HIT ||
	    row->total_weight < drawing.least_weight) /* so every branch is too light */
		return;
	tree = row_tree_make(drawer->trees, row);
	drawing.tree = tree;
	strbuf_init(&drawing.rails);
	if (options->style == ROW_GRAPH_FLAT || options->style == ROW_GRAPH_FOLDED)
		draw_paths(&drawing);
	else
		draw_graph(&drawing, row, drawer->skip_first && !drawing.branches);
	strbuf_fini(&drawing.rails);
	call_tree_destroy(tree);
}
