/*
 * Draws a tree of callers, depth first. In this call tree a node's count is the weight before, and its weight the weight
 * after. A branch is drawn if its interval excludes 0 and it is at least LEAST_PART of the row's difference.
 */
#include "report/diff/diff_callers.h"

#include <math.h>
#include <stdlib.h>

#include "base/xalloc.h"
#include "text/safe_text.h"

enum { MAX_LEVELS = 64 }; /* of branches; a chain of calls without branches is no level */

#define LEAST_PART 0.05 /* of the row's difference */

struct drawing {
	struct strbuf *out;
	struct profile_diff *diff;
	const struct diff_result *result;
	const struct diff_number *number;
	struct call_tree *tree;
	double row_delta;
	double dispersion;    /* of the row's samples, and so of those of its callers */
	struct strbuf prefix; /* the text to the left of a line */
};

struct branch {
	uint32_t node;
	double delta;
};

static struct comparison compare_node(const struct drawing *drawing, uint32_t node)
{
	const struct call_node *at = call_tree_at(drawing->tree, node);
	const double weight[COMPARE_SIDES] = { (double)at->total_count, (double)at->total_weight };

	return compare_dispersed(&drawing->result->scale, weight, drawing->dispersion);
}

static int larger_first(const void *one, const void *other, void *context)
{
	const struct branch *a = one, *b = other;
	const struct drawing *drawing = context;

	if (fabs(a->delta) != fabs(b->delta))
		return fabs(a->delta) > fabs(b->delta) ? -1 : 1;
	return call_tree_at(drawing->tree, a->node)->key < call_tree_at(drawing->tree, b->node)->key ? -1 : 1;
}

/* The branches to draw of `first` and its siblings. The caller frees them. */
static struct branch *find_branches(const struct drawing *drawing, uint32_t first, size_t *count)
{
	struct branch *branches = NULL;
	size_t capacity = 0;
	uint32_t node;

	*count = 0;
	for (node = first; node != CALL_TREE_NONE; node = call_tree_at(drawing->tree, node)->next_sibling) {
		struct comparison comparison = compare_node(drawing, node);

		if (comparison.low <= 0 && comparison.high >= 0)
			continue;
		if (fabs(comparison.delta) < LEAST_PART * fabs(drawing->row_delta))
			continue;
		*ARRAY_ADD(branches, *count, capacity) = (struct branch){ node, comparison.delta };
	}
	if (*count)
		qsort_r(branches, *count, sizeof(*branches), larger_first, (void *)drawing);
	return branches;
}

static void add_name(const struct drawing *drawing, uint32_t node)
{
	const struct diff_function *function =
		profile_diff_function(drawing->diff, call_tree_at(drawing->tree, node)->key);
	uint32_t text = function->symbol != DIFF_NONE ? function->symbol : function->dso;

	if (function->symbol == DIFF_NONE)
		strbuf_adds(drawing->out, "[unknown] ");
	if (text != DIFF_NONE)
		safe_text_add(drawing->out, profile_diff_text(drawing->diff, text));
	strbuf_addc(drawing->out, '\n');
}

/* The caller through which all of it came, if there is one: drawn without a number of its own. */
static uint32_t only_caller(const struct drawing *drawing, uint32_t node)
{
	const struct call_node *at = call_tree_at(drawing->tree, node);
	const struct call_node *first;

	if (at->first_child == CALL_TREE_NONE)
		return CALL_TREE_NONE;
	first = call_tree_at(drawing->tree, at->first_child);
	return first->total_count == at->total_count && first->total_weight == at->total_weight ?
		       at->first_child :
		       CALL_TREE_NONE;
}

static void draw(struct drawing *drawing, uint32_t first, unsigned level);

static void draw_branch(struct drawing *drawing, const struct branch *branch, bool last, unsigned level)
{
	size_t prefix = drawing->prefix.size, text_start;
	uint32_t node = branch->node, next;

	strbuf_add(drawing->out, drawing->prefix.bytes, prefix);
	text_start = drawing->out->size;
	strbuf_adds(drawing->out, last ? " --" : "|--");
	diff_number_add(drawing->out, drawing->number, branch->delta, true);
	strbuf_adds(drawing->out, "--");
	text_start = drawing->out->size - text_start;
	add_name(drawing, node);
	strbuf_addc(&drawing->prefix, last ? ' ' : '|');
	while (--text_start)
		strbuf_addc(&drawing->prefix, ' ');
	for (next = only_caller(drawing, node); next != CALL_TREE_NONE; next = only_caller(drawing, next)) {
		strbuf_add(drawing->out, drawing->prefix.bytes, drawing->prefix.size);
		add_name(drawing, next);
		node = next;
	}
	draw(drawing, call_tree_at(drawing->tree, node)->first_child, level + 1);
	strbuf_cut(&drawing->prefix, prefix);
}

static void draw(struct drawing *drawing, uint32_t first, unsigned level)
{
	struct branch *branches;
	size_t count, i;

	if (level == MAX_LEVELS)
		return;
	branches = find_branches(drawing, first, &count);
	for (i = 0; i < count; i++)
		draw_branch(drawing, &branches[i], i + 1 == count, level);
	free(branches);
}

void diff_callers_draw(struct strbuf *out, struct profile_diff *diff, const struct diff_result *result,
		       const struct diff_line *line, const struct diff_number *number, size_t indent)
{
	struct drawing drawing = {
		.out = out,
		.diff = diff,
		.result = result,
		.number = number,
		.tree = profile_diff_callers(diff, line->row, result->request.normalize == DIFF_SAMPLES),
		.row_delta = line->self.delta,
		.dispersion = line->self.dispersion,
		.prefix = STRBUF_INIT,
	};

	while (indent--)
		strbuf_addc(&drawing.prefix, ' ');
	draw(&drawing, call_tree_first(drawing.tree), 0);
	strbuf_fini(&drawing.prefix);
	call_tree_destroy(drawing.tree);
}
