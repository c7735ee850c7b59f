#include "report/hist.h"

#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"
#include "report/hist_rows.h"

/* --- the order of rows: what perf's comparisons come to ---------------------------------------------- */

static int compare_u64(uint64_t a, uint64_t b)
{
	return a < b ? -1 : a > b;
}

/* Unknown ones last. */
static int compare_strings(const struct profile *profile, uint32_t a, uint32_t b)
{
	if (a == b)
		return 0;
	if (a == PROFILE_NONE || b == PROFILE_NONE)
		return a == PROFILE_NONE ? 1 : -1;
	return strcmp(profile_text(profile, a), profile_text(profile, b));
}

/* By name, what has none behind; equal names by DSO and address, which is the order of frame numbers. */
static int compare_symbols(const struct hist *hist, uint32_t a, uint32_t b)
{
	int difference = 0;

	if (a != PROFILE_NONE && b != PROFILE_NONE)
		difference = compare_strings(hist->profile, hist->frames->frames[a].name,
					     hist->frames->frames[b].name);
	return difference ? difference : compare_u64(a, b);
}

/*
 * A caller above what it calls when their totals are equal: the higher one in the stack has the longer way. Heights
 * compare within one thread only. perf leaves the order of different threads to the next column, which is no order
 * at all (a before b before c before a); here the threads come one after the other.
 */
static int compare_heights(const struct hist *hist, const struct hist_row *a, const struct hist_row *b)
{
	const struct profile_thread *one = profile_thread_at(hist->profile, a->thread);
	const struct profile_thread *other = profile_thread_at(hist->profile, b->thread);
	int difference;

	if (!hist->options.callers_on_top)
		return 0;
	difference = compare_u64(one->pid, other->pid);
	if (!difference)
		difference = compare_u64(one->tid, other->tid);
	if (difference)
		return difference;
	difference = compare_u64(b->height, a->height);
	return hist->options.order == CALL_ORDER_CALLER ? difference : -difference;
}

static int compare_keys(const struct hist *hist, enum column column, uint32_t a, uint32_t b)
{
	switch (column) {
	case COLUMN_COMM:
	case COLUMN_SRCLINE:
	case COLUMN_SRCFILE:
	case COLUMN_DSO: return compare_strings(hist->profile, a, b);
	case COLUMN_SYMBOL: return compare_symbols(hist, a, b);
	case COLUMN_CPU: return compare_u64(a + 1u, b + 1u); /* not recorded (-1) first */
	default: return compare_u64(a, b);
	}
}

uint32_t hist_row_key(const struct hist *hist, const struct hist_row *row, enum column column)
{
	const struct column_list *keys = &hist->options.layout->keys;
	size_t i;

	for (i = 0; i < keys->count; i++)
		if (keys->items[i] == column)
			return row->keys[i];
	return PROFILE_NONE;
}

static int compare_by(const struct hist *hist, enum column column, const struct hist_row *a,
		      const struct hist_row *b)
{
	int difference;

	switch (column) {
	case COLUMN_CHILDREN:
		difference = compare_u64(b->total_weight, a->total_weight);
		return difference || !hist->options.children ? difference : compare_heights(hist, a, b);
	case COLUMN_OVERHEAD:
	case COLUMN_PERIOD: return compare_u64(b->self_weight, a->self_weight);
	case COLUMN_OVERHEAD_SYS: return compare_u64(b->kernel_weight, a->kernel_weight);
	case COLUMN_OVERHEAD_US: return compare_u64(b->user_weight, a->user_weight);
	case COLUMN_SAMPLE: return compare_u64(b->self_count, a->self_count);
	default:
		return compare_keys(hist, column, hist_row_key(hist, a, column),
				    hist_row_key(hist, b, column));
	}
}

static int compare_rows(const void *one, const void *other, void *context)
{
	const struct hist *hist = context;
	const struct column_list *sorts = &hist->options.layout->sorts;
	size_t i;

	for (i = 0; i < sorts->count; i++) {
		int difference = compare_by(hist, sorts->items[i], one, other);

		if (difference)
			return difference;
	}
	return 0; /* cannot be: rows differ in a key, and every key is among the columns sorted by */
}

void hist_init(struct hist *hist, const struct profile *profile, const struct frame_table *frames,
	       uint32_t event, const struct filter *filter, const struct hist_options *options)
{
	*hist = (struct hist){ .profile = profile, .frames = frames, .options = *options };
	hist_rows_add(hist, event, filter);
	if (hist->row_count)
		qsort_r(hist->rows, hist->row_count, sizeof(*hist->rows), compare_rows, hist);
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

/* The nodes from `top` (PROFILE_NONE: the root) down to `stack`, which `top` leads to. */
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
 * From the row's node towards the leaf in caller order, towards the root in callee order. The leaf's own row
 * shows the whole stack in either.
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
