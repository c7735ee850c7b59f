/*
 * hist_init() is the order of work: add up samples (hist_rows.h), drop hidden rows, sort. Columns with numbers that come
 * first in the order are sorted by radix, the last one first; only rows that are equal in all of these are compared.
 */
#include "report/rows/hist.h"

#include <stdlib.h>
#include <string.h>

#include "base/radix_sort.h"
#include "base/xalloc.h"
#include "report/rows/hist_rows.h"

/* --- the order of rows, as perf's comparisons make it ------------------------------------------------ */

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

/* By name, frames without one last; equal names by DSO and address, which is the order of frame numbers. */
static int compare_symbols(const struct hist *hist, uint32_t a, uint32_t b)
{
	int difference = 0;

	if (a != PROFILE_NONE && b != PROFILE_NONE)
		difference = compare_strings(hist->profile, hist->frames->frames[a].name,
					     hist->frames->frames[b].name);
	return difference ? difference : compare_u64(a, b);
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

const char *hist_row_text(const struct hist *hist, const struct hist_row *row, enum column column)
{
	const uint32_t set = hist->options.keys ? hist_row_key(hist, row, COLUMN_KEY_SET) : 0;

	return set == PROFILE_NONE ? "" :
				     sample_keys_text(hist->options.keys, set, column_sample_key(column));
}

/* Compares texts of one kind of number: more digits before the point, or greater digits, make the greater number. */
static int compare_numbers(const char *a, const char *b)
{
	const size_t one = strcspn(a, "."), other = strcspn(b, ".");

	return one != other ? compare_u64(one, other) : strcmp(a, b);
}

static int compare_sample_keys(const struct hist *hist, enum column column, const struct hist_row *a,
			       const struct hist_row *b)
{
	const char *one = hist_row_text(hist, a, column), *other = hist_row_text(hist, b, column);
	bool most_first;

	if (!column_is_number(column, &most_first))
		return strcmp(one, other);
	return most_first ? compare_numbers(other, one) : compare_numbers(one, other);
}

static bool has_key(const struct hist *hist, enum column column)
{
	const struct column_list *keys = &hist->options.layout->keys;

	for (size_t i = 0; i < keys->count; i++)
		if (keys->items[i] == column)
			return true;
	return false;
}

static bool is_text(enum column column)
{
	return column == COLUMN_COMM || column == COLUMN_DSO || column == COLUMN_SYMBOL ||
	       column == COLUMN_SRCLINE || column == COLUMN_SRCFILE || column == COLUMN_PARENT ||
	       column == COLUMN_CGROUP || column_is_sample_key(column);
}

static int compare_texts(const struct hist *hist, enum column column, const struct hist_row *a,
			 const struct hist_row *b)
{
	const uint32_t one = hist_row_key(hist, a, column), other = hist_row_key(hist, b, column);

	if (column_is_sample_key(column))
		return compare_sample_keys(hist, column, a, b);
	return column == COLUMN_SYMBOL ? compare_symbols(hist, one, other) :
					 compare_strings(hist->profile, one, other);
}

/* The rank in a column that is no text: the row with the lowest comes first. */
static uint64_t own_rank(const struct hist *hist, enum column column, const struct hist_row *row)
{
	switch (column) {
	case COLUMN_CHILDREN: return ~row->total_weight;
	case COLUMN_OVERHEAD:
	case COLUMN_PERIOD: return ~row->self_weight;
	case COLUMN_OVERHEAD_SYS: return ~row->kernel_weight;
	case COLUMN_OVERHEAD_US: return ~row->user_weight;
	case COLUMN_SAMPLE: return ~row->self_count;
	case COLUMN_CPU: return hist_row_key(hist, row, column) + 1u; /* not recorded (-1) first */
	default: return hist_row_key(hist, row, column);
	}
}

/*
 * If their totals are equal, a caller comes above its callees: it has the greater height. Heights of different threads cannot be
 * compared. perf leaves the order of different threads to the next column, which is no order at all (a before b before c before
 * a); here the threads come one after the other.
 */
static bool heights_count(const struct hist *hist, enum column column)
{
	return column == COLUMN_CHILDREN && hist->options.children && hist->options.callers_on_top;
}

static uint64_t thread_rank(const struct hist *hist, const struct hist_row *row)
{
	const struct profile_thread *thread = profile_thread_at(hist->profile, row->thread);

	return (uint64_t)thread->pid << 32 | thread->tid;
}

static uint64_t height_rank(const struct hist *hist, const struct hist_row *row)
{
	return hist->options.order == CALL_ORDER_CALLER ? UINT32_MAX - row->height : row->height;
}

/* The ranks of a column that is no text: its own first; each next one decides if the one before is equal. */
enum { RANK_OWN, RANK_THREAD, RANK_HEIGHT, RANK_COUNT };

static int ranks_of(const struct hist *hist, enum column column)
{
	return heights_count(hist, column) ? RANK_COUNT : RANK_OWN + 1;
}

static uint64_t rank_in(const struct hist *hist, enum column column, int rank, const struct hist_row *row)
{
	switch (rank) {
	case RANK_THREAD: return thread_rank(hist, row);
	case RANK_HEIGHT: return height_rank(hist, row);
	default: return own_rank(hist, column, row);
	}
}

static int compare_ranks(const struct hist *hist, enum column column, const struct hist_row *a,
			 const struct hist_row *b)
{
	int difference = 0;

	for (int rank = 0; rank < ranks_of(hist, column) && !difference; rank++)
		difference = compare_u64(rank_in(hist, column, rank, a), rank_in(hist, column, rank, b));
	return difference;
}

static size_t leading_ranks(const struct column_list *sorts)
{
	size_t count = 0;

	while (count < sorts->count && !is_text(sorts->items[count]))
		count++;
	return count;
}

/*
 * Rows are sorted by the leading columns that are no texts without comparing rows. Rows that are equal in these are
 * compared by the other columns. Most of them have the same comm and DSO: equal keys need no text.
 */
struct row_order {
	const struct hist *hist;
	size_t leading;            /* how many columns come before the first text */
	size_t keys[COLUMN_COUNT]; /* of each column that rows are ordered by: its index in hist_row.keys, or MAX_KEYS */
};

/* The index in hist_row.keys of the key that alone decides the column's text; MAX_KEYS if there is none. */
static size_t key_index(const struct hist *hist, enum column column)
{
	const struct column_list *keys = &hist->options.layout->keys;
	const enum column wanted = column_is_sample_key(column) ? COLUMN_KEY_SET : column;

	for (size_t i = 0; i < keys->count; i++)
		if (keys->items[i] == wanted)
			return i;
	return MAX_KEYS;
}

static void init_order(struct row_order *order, const struct hist *hist)
{
	const struct column_list *sorts = &hist->options.layout->sorts;

	order->hist = hist;
	order->leading = leading_ranks(sorts);
	for (size_t i = 0; i < sorts->count; i++)
		order->keys[i] = key_index(hist, sorts->items[i]);
}

int hist_compare_rows(const struct hist *hist, enum column column, const struct hist_row *a,
		      const struct hist_row *b)
{
	return is_text(column) ? compare_texts(hist, column, a, b) : compare_ranks(hist, column, a, b);
}

/* Equal in all leading columns. */
static bool are_tied(const struct row_order *order, const struct hist_row *a, const struct hist_row *b)
{
	for (size_t i = 0; i < order->leading; i++)
		if (hist_compare_rows(order->hist, order->hist->options.layout->sorts.items[i], a, b))
			return false;
	return true;
}

/* Never 0: rows differ in a key, and every key is among the columns to sort by. */
static int compare_rest(const void *one, const void *other, void *context)
{
	const struct row_order *order = context;
	const struct hist *hist = order->hist;
	const struct hist_row *a = &hist->rows[((const struct radix_item *)one)->number];
	const struct hist_row *b = &hist->rows[((const struct radix_item *)other)->number];
	const struct column_list *sorts = &hist->options.layout->sorts;
	int difference = 0;

	for (size_t i = order->leading; i < sorts->count && !difference; i++) {
		const size_t key = order->keys[i];

		if (key == MAX_KEYS || a->keys[key] != b->keys[key])
			difference = hist_compare_rows(hist, sorts->items[i], a, b);
	}
	return difference;
}

/* Computes ranks in the order of rows in memory: rows are too large to be read in another order. */
static void sort_by_rank(const struct hist *hist, enum column column, int rank, struct radix_item *items,
			 uint64_t *ranks)
{
	for (uint32_t row = 0; row < hist->row_count; row++)
		ranks[row] = rank_in(hist, column, rank, &hist->rows[row]);
	for (uint32_t i = 0; i < hist->row_count; i++)
		items[i].key = ranks[items[i].number];
	radix_sort(items, hist->row_count);
}

static void sort_by_ranks(const struct row_order *order, struct radix_item *items)
{
	const struct hist *hist = order->hist;
	uint64_t *ranks = xmalloc(((size_t)hist->row_count + 1) * sizeof(*ranks));

	for (size_t i = order->leading; i-- > 0;) {
		const enum column column = hist->options.layout->sorts.items[i];

		for (int rank = ranks_of(hist, column); rank-- > 0;)
			sort_by_rank(hist, column, rank, items, ranks);
	}
	free(ranks);
}

/* The end of the rows with the same rank as the first one, at most `limit`. */
static uint32_t find_ties(const struct row_order *order, const struct radix_item *items, uint32_t first,
			  uint32_t limit)
{
	const struct hist *hist = order->hist;
	const struct hist_row *row = &hist->rows[items[first].number];
	uint32_t end = first + 1;

	while (end < limit && are_tied(order, row, &hist->rows[items[end].number]))
		end++;
	return end;
}

/* Sorts rows of equal rank by the other columns. */
static void sort_ties(struct row_order *order, struct radix_item *items)
{
	const uint32_t count = order->hist->row_count;

	for (uint32_t first = 0, end; first < count; first = end) {
		end = find_ties(order, items, first, count);
		if (end - first > 1)
			qsort_r(&items[first], end - first, sizeof(*items), compare_rest, order);
	}
}

static void sort_rows(struct hist *hist)
{
	struct row_order order;
	struct radix_item *items = xmalloc(((size_t)hist->row_count + 1) * sizeof(*items));
	struct hist_row *sorted = xmalloc(((size_t)hist->row_count + 1) * sizeof(*sorted));

	init_order(&order, hist);
	for (uint32_t i = 0; i < hist->row_count; i++)
		items[i].number = i;
	sort_by_ranks(&order, items);
	sort_ties(&order, items);
	for (uint32_t i = 0; i < hist->row_count; i++)
		sorted[i] = hist->rows[items[i].number];
	free(items);
	free(hist->rows);
	hist->rows = sorted;
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
	sort_rows(hist);
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
