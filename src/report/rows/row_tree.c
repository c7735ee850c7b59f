/*
 * From the root downwards the profile's stacks are a prefix tree already, so each is placed in the row's tree
 * once. In the other direction the path of each hit is walked.
 */
#include "report/rows/row_tree.h"

#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"
#include "profile/stack_places.h"

struct row_trees {
	const struct hist *hist;
	enum row_graph_key key;
	struct stack_places *places;
	uint32_t tree_count;
	uint32_t *first_of_line; /* by location; for ROW_GRAPH_SRCLINE */
	struct hist_path path;
	struct row_branches *branches; /* --branch-history; else NULL */
};

/* By function: the frame's number. Else twice the location's number, plus 1 if it was guessed. */
static uint32_t key_of(void *context, uint32_t stack)
{
	const struct row_trees *trees = context;
	const struct hist *hist = trees->hist;
	const struct profile_stack *node = profile_stack_at(hist->profile, stack);
	const bool guessed = node->origin == FRAME_GUESSED;

	switch (trees->key) {
	case ROW_GRAPH_ADDRESS: return 2 * node->location + guessed;
	case ROW_GRAPH_SRCLINE: return 2 * trees->first_of_line[node->location] + guessed;
	default: return frame_table_of_node(hist->frames, node);
	}
}

/* By location: the first location with the same line of the same function. */
static uint32_t *find_lines(const struct hist *hist)
{
	const uint32_t count = profile_location_count(hist->profile);
	const size_t strings = profile_string_count(hist->profile);
	const uint32_t *frames = hist->frames->by_location;
	uint32_t *first = xmalloc(((size_t)count + 1) * sizeof(*first));
	uint32_t *next = xmalloc(((size_t)count + 1) * sizeof(*next)); /* next first one of the same text */
	uint32_t *first_of_text = xmalloc((strings + 1) * sizeof(*first_of_text));

	memset(first_of_text, 0xff, (strings + 1) * sizeof(*first_of_text));
	for (uint32_t i = 0; i < count; i++) {
		uint32_t *known = &first_of_text[hist->options.sources->lines[i]];

		while (*known != UINT32_MAX && frames[*known] != frames[i])
			known = &next[*known];
		if (*known == UINT32_MAX) {
			next[i] = UINT32_MAX;
			*known = i;
		}
		first[i] = *known;
	}
	free(first_of_text);
	free(next);
	return first;
}

struct row_trees *row_trees_create(const struct hist *hist, enum row_graph_key key)
{
	struct row_trees *trees = xcalloc(1, sizeof(*trees));

	trees->hist = hist;
	trees->key = key;
	if (key == ROW_GRAPH_SRCLINE)
		trees->first_of_line = find_lines(hist);
	trees->places = stack_places_create(hist->profile, key_of, trees);
	trees->branches = row_branches_create(hist);
	return trees;
}

void row_trees_destroy(struct row_trees *trees)
{
	if (!trees)
		return;
	hist_path_fini(&trees->path);
	row_branches_destroy(trees->branches);
	stack_places_destroy(trees->places);
	free(trees->first_of_line);
	free(trees);
}

const struct row_branches *row_trees_branches(const struct row_trees *trees)
{
	return trees->branches;
}

static uint32_t innermost(const struct row_trees *trees, const struct profile_sample *sample)
{
	return trees->branches ? row_branches_innermost(trees->branches, sample) : sample->stack;
}

/* Takes the branches of a path that ends with `stack`, at `node` of the tree. */
static void take_path(struct row_trees *trees, const struct call_tree *tree,
		      const struct profile_sample *sample, uint32_t stack, uint32_t node)
{
	while (node != CALL_TREE_NONE) {
		row_branches_take(trees->branches, sample, stack, node);
		stack = profile_stack_at(trees->hist->profile, stack)->parent;
		node = call_tree_at(tree, node)->parent;
	}
}

static void add_downwards(struct row_trees *trees, struct call_tree *tree, const struct hist_row *row)
{
	const struct hist *hist = trees->hist;

	trees->tree_count++;
	for (uint32_t number = row->first_hit; number != HIST_NO_HIT; number = hist->hits[number].next) {
		const struct hist_hit *hit = &hist->hits[number];
		const struct profile_sample *sample = profile_sample_at(hist->profile, hit->sample);
		const struct stack_start start = { trees->tree_count, CALL_TREE_NONE, hit->stack };

		const uint32_t end = innermost(trees, sample);
		const uint32_t node = stack_places_node(trees->places, tree, start, end);

		call_tree_add(tree, node, sample->count, sample->weight);
		if (trees->branches)
			take_path(trees, tree, sample, end, node);
	}
}

/* With callers below their callees, the profile's nodes do not tell which stacks share a path: walks the path of each hit. */
static void add_upwards(struct row_trees *trees, struct call_tree *tree, const struct hist_row *row)
{
	const struct hist *hist = trees->hist;
	struct hist_path *path = &trees->path;

	for (uint32_t number = row->first_hit; number != HIST_NO_HIT; number = hist->hits[number].next) {
		const struct hist_hit *hit = &hist->hits[number];
		const struct profile_sample *sample = profile_sample_at(hist->profile, hit->sample);
		uint32_t node = CALL_TREE_NONE;
		size_t first;

		hist_path_of(hist, hit, path);
		first = path->length && path->stacks[0] == sample->stack &&
			innermost(trees, sample) != sample->stack;
		for (size_t i = first; i < path->length; i++) {
			node = call_tree_child(tree, node, key_of(trees, path->stacks[i]));
			if (trees->branches)
				row_branches_take(trees->branches, sample, path->stacks[i], node);
		}
		call_tree_add(tree, node, sample->count, sample->weight);
	}
}

struct call_tree *row_tree_make(struct row_trees *trees, const struct hist_row *row)
{
	struct call_tree *tree = call_tree_create();

	if (trees->branches)
		row_branches_clear(trees->branches);
	if (trees->hist->options.order == CALL_ORDER_CALLER)
		add_downwards(trees, tree, row);
	else
		add_upwards(trees, tree, row);
	call_tree_sum_up(tree);
	call_tree_sort(tree);
	return tree;
}
