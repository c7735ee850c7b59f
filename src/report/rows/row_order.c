/*
 * Each column gives every row a number, its rank: rows are sorted by numbers, without comparing rows. Texts get their ranks from
 * comparing one row of each text.
 */
#include "report/rows/hist_row.h"

#include <stdlib.h>
#include <string.h>

#include "base/radix_sort.h"
#include "base/xalloc.h"

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

int row_order_compare(const struct hist *hist, enum column column, const struct hist_row *a,
		      const struct hist_row *b)
{
	return is_text(column) ? compare_texts(hist, column, a, b) : compare_ranks(hist, column, a, b);
}

/*
 * The final order of the rows, made column by column. Rows that are equal in the columns so far share a place, the first that one of
 * them will have; a row that has a place of its own is not looked at again.
 */
struct row_order {
	const struct hist *hist;
	uint32_t *places; /* of each row */
	bool *shared;     /* for each row: does another one have the same place? */
	uint64_t *ranks;  /* of each row with a shared place: in the column at hand */
	struct radix_item *
		items; /* these rows; first in the order of memory: rows are too large to be read in another one */
	size_t count;
};

static void init_order(struct row_order *order, const struct hist *hist)
{
	const size_t rows = (size_t)hist->row_count + 1;

	*order = (struct row_order){
		.hist = hist,
		.places = xcalloc(rows, sizeof(*order->places)),
		.shared = xcalloc(rows, sizeof(*order->shared)),
		.ranks = xmalloc(rows * sizeof(*order->ranks)),
		.items = xmalloc(rows * sizeof(*order->items)),
	};
	for (uint32_t row = 0; row < hist->row_count; row++)
		order->shared[row] = true;
}

static void fini_order(struct row_order *order)
{
	free(order->places);
	free(order->shared);
	free(order->ranks);
	free(order->items);
}

static void list_shared(struct row_order *order)
{
	order->count = 0;
	for (uint32_t row = 0; row < order->hist->row_count; row++)
		if (order->shared[row])
			order->items[order->count++].number = row;
}

struct text_order {
	const struct hist *hist;
	enum column column;
};

static int compare_items(const void *one, const void *other, void *context)
{
	const struct text_order *order = context;
	const struct hist *hist = order->hist;

	return compare_texts(hist, order->column, &hist->rows[((const struct radix_item *)one)->number],
			     &hist->rows[((const struct radix_item *)other)->number]);
}

/* Leaves the first item of each key. Returns how many there are. */
static size_t take_firsts(const struct radix_item *items, size_t count, struct radix_item *firsts)
{
	size_t found = 0;

	for (size_t i = 0; i < count; i++)
		if (i == 0 || items[i].key != items[i - 1].key)
			firsts[found++] = items[i];
	return found;
}

/* There are far fewer texts than rows: rows are put together by the key that has the text, and one row of each key is compared. */
static void rank_texts(struct row_order *order, enum column column)
{
	const struct text_order by = { .hist = order->hist, .column = column };
	const enum column key = column_is_sample_key(column) ? COLUMN_KEY_SET : column;
	struct radix_item *items = order->items, *firsts = xmalloc((order->count + 1) * sizeof(*firsts));
	uint64_t *ranks = order->ranks, rank = 0;
	size_t found;

	for (size_t i = 0; i < order->count; i++)
		items[i].key = hist_row_key(by.hist, &by.hist->rows[items[i].number], key);
	radix_sort(items, order->count);
	found = take_firsts(items, order->count, firsts);
	qsort_r(firsts, found, sizeof(*firsts), compare_items, (void *)&by);
	for (size_t i = 0; i < found; i++) {
		rank += i > 0 && compare_items(&firsts[i - 1], &firsts[i], (void *)&by) != 0;
		ranks[firsts[i].number] = rank;
	}
	free(firsts);
	for (size_t i = 0; i < order->count; i++) {
		if (i == 0 || items[i].key != items[i - 1].key)
			rank = ranks[items[i].number];
		ranks[items[i].number] = rank;
	}
}

static void rank_numbers(struct row_order *order, enum column column, int rank)
{
	const struct hist *hist = order->hist;

	for (size_t i = 0; i < order->count; i++) {
		const uint32_t row = order->items[i].number;

		order->ranks[row] = rank_in(hist, column, rank, &hist->rows[row]);
	}
}

/* Sorts items by place; those of one place by rank. */
static void sort_items(struct row_order *order)
{
	struct radix_item *items = order->items;

	for (size_t i = 0; i < order->count; i++)
		items[i].key = order->ranks[items[i].number];
	radix_sort(items, order->count);
	for (size_t i = 0; i < order->count; i++)
		items[i].key = order->places[items[i].number];
	radix_sort(items, order->count);
}

/* Rows of one place with different ranks get different places. */
static void divide_places(struct row_order *order)
{
	const struct radix_item *items = order->items;
	size_t first = 0; /* of those with the same place */

	sort_items(order);
	for (size_t i = 0; i < order->count; i++) {
		const uint32_t row = items[i].number, before = i > 0 ? items[i - 1].number : row;
		const bool same_place = i > 0 && items[i].key == items[i - 1].key;
		const bool same = same_place && order->ranks[row] == order->ranks[before];

		if (!same_place)
			first = i;
		order->places[row] = same ? order->places[before] : (uint32_t)(items[i].key + (i - first));
		order->shared[row] = same;
		if (same)
			order->shared[before] = true;
	}
}

static void order_by_column(struct row_order *order, enum column column)
{
	const int ranks = is_text(column) ? 1 : ranks_of(order->hist, column);

	for (int rank = 0; rank < ranks; rank++) {
		list_shared(order);
		if (is_text(column))
			rank_texts(order, column);
		else
			rank_numbers(order, column, rank);
		divide_places(order);
	}
}

/* Rows differ in a key, and every key is among the columns to sort by: each row has a place of its own in the end. */
void row_order_sort(struct hist *hist)
{
	const struct column_list *sorts = &hist->options.layout->sorts;
	struct hist_row *sorted = xmalloc(((size_t)hist->row_count + 1) * sizeof(*sorted));
	struct row_order order;

	init_order(&order, hist);
	for (size_t i = 0; i < sorts->count; i++)
		order_by_column(&order, sorts->items[i]);
	for (uint32_t row = 0; row < hist->row_count; row++)
		sorted[order.places[row]] = hist->rows[row];
	fini_order(&order);
	free(hist->rows);
	hist->rows = sorted;
}
