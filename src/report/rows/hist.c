/*
 * hist_init() is the order of work: add up samples (hist_rows.c), drop hidden rows, sort.
 */
#include "report/rows/hist.h"

#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"
#include "report/rows/hist_row.h"

static bool has_key(const struct hist *hist, enum column column)
{
	const struct column_list *keys = &hist->options.layout->keys;

	for (size_t i = 0; i < keys->count; i++)
		if (keys->items[i] == column)
			return true;
	return false;
}

static bool is_hidden(const struct hist *hist, const struct hist_row *row)
{
	const struct row_choice *choice = &hist->options.rows;
	const uint32_t frame = hist_row_key(hist, row, COLUMN_SYMBOL);
	const uint32_t name = frame == PROFILE_NONE ? PROFILE_NONE : hist->frames->frames[frame].name;
	const bool named = name != PROFILE_NONE && !hist->frames->frames[frame].nameless;

	if (choice->symbol_part &&
	    (name == PROFILE_NONE || !strstr(profile_text(hist->profile, name), choice->symbol_part)))
		return true;
	return choice->named_only && !named && has_key(hist, COLUMN_SYMBOL);
}

static void drop_hidden_rows(struct hist *hist)
{
	const struct row_choice *choice = &hist->options.rows;
	uint32_t kept = 0;

	if (!choice->symbol_part && !choice->named_only)
		return;
	for (uint32_t i = 0; i < hist->row_count; i++)
		if (!is_hidden(hist, &hist->rows[i]))
			hist->rows[kept++] = hist->rows[i];
	hist->row_count = kept;
}

void hist_init(struct hist *hist, const struct profile *profile, const struct frame_table *frames,
	       uint32_t event, const struct filter *filter, const struct hist_options *options)
{
	*hist = (struct hist){ .profile = profile, .frames = frames, .options = *options };
	hist_rows_add(hist, event, filter);
	drop_hidden_rows(hist);
	row_order_sort(hist);
}

void hist_fini(struct hist *hist)
{
	free(hist->rows);
	free(hist->hits);
	hist->rows = NULL;
	hist->hits = NULL;
	hist->row_count = 0;
}

uint64_t hist_total(const struct hist *hist)
{
	return hist->options.relative ? hist->shown_weight : hist->weight;
}

double hist_percent(const struct hist *hist, uint64_t weight)
{
	uint64_t total = hist_total(hist);

	return total ? 100.0 * (double)weight / (double)total : 0.0;
}

double hist_row_percent(const struct hist *hist, const struct hist_row *row)
{
	return hist_percent(hist, hist->options.children ? row->total_weight : row->self_weight);
}

/* The nodes from `top` (PROFILE_NONE: the root) down to its descendant `stack`. */
static void path_from(const struct profile *profile, uint32_t top, uint32_t stack, struct hist_path *path)
{
	size_t length = 0;
	uint32_t node;

	for (node = stack; node != PROFILE_NONE; node = profile_stack_at(profile, node)->parent) {
		length++;
		if (node == top)
			break;
	}
	path->stacks = array_grow(path->stacks, &path->capacity, length, sizeof(*path->stacks));
	path->length = length;
	for (node = stack; length > 0; node = profile_stack_at(profile, node)->parent)
		path->stacks[--length] = node;
}

/*
 * The path leads from the row's node towards the leaf in caller order, towards the root in callee order. The leaf's own row shows
 * the whole stack in both.
 */
void hist_path_of(const struct hist *hist, const struct hist_hit *hit, struct hist_path *path)
{
	uint32_t leaf = profile_sample_at(hist->profile, hit->sample)->stack;
	size_t i;

	if (hist->options.order == CALL_ORDER_CALLER) {
		path_from(hist->profile, hit->stack, leaf, path);
		return;
	}
	path_from(hist->profile, PROFILE_NONE, hit->stack == PROFILE_NONE ? leaf : hit->stack, path);
	for (i = 0; i < path->length / 2; i++) {
		uint32_t other = path->stacks[path->length - 1 - i];

		path->stacks[path->length - 1 - i] = path->stacks[i];
		path->stacks[i] = other;
	}
}

void hist_path_fini(struct hist_path *path)
{
	free(path->stacks);
	*path = (struct hist_path){ 0 };
}
