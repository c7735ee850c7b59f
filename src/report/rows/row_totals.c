/*
 * A stack of open calls. A call that is left adds its sums to its caller, and to its row unless another call
 * of that row is still open, which gets them through the callers. So no sample counts twice.
 */
#include "report/rows/row_totals.h"

#include <stdlib.h>

#include "base/saturating.h"
#include "base/xalloc.h"

void row_totals_init(struct row_totals *totals, bool heights_from_leaf)
{
	*totals = (struct row_totals){ .heights_from_leaf = heights_from_leaf };
}

void row_totals_fini(struct row_totals *totals)
{
	free(totals->rows);
	free(totals->calls);
}

static struct row_total *row_at(struct row_totals *totals, uint32_t row)
{
	if (row >= totals->row_count) {
		totals->rows = array_grow(totals->rows, &totals->row_capacity, (size_t)row + 1,
					  sizeof(*totals->rows));
		while (row >= totals->row_count)
			totals->rows[totals->row_count++] = (struct row_total){ .first_sample = UINT32_MAX };
	}
	return &totals->rows[row];
}

static void raise_to(uint32_t *height, uint32_t other)
{
	if (other > *height)
		*height = other;
}

static void lower_to(uint32_t *number, uint32_t other)
{
	if (other < *number)
		*number = other;
}

static void give_to_caller(const struct row_totals *totals, const struct open_call *call)
{
	struct open_call *caller = &totals->calls[totals->call_count - 1];

	saturating_add(&caller->count, call->count);
	saturating_add(&caller->weight, call->weight);
	lower_to(&caller->first_sample, call->first_sample);
	if (totals->heights_from_leaf)
		raise_to(&caller->height, call->height + 1);
}

/* If another call of the row is open, the samples are counted there. */
static void leave_last(struct row_totals *totals)
{
	const struct open_call *call = &totals->calls[--totals->call_count];
	struct row_total *row = &totals->rows[call->row];

	raise_to(&row->height, call->height);
	if (--row->open == 0) {
		saturating_add(&row->count, call->count);
		saturating_add(&row->weight, call->weight);
		lower_to(&row->first_sample, call->first_sample);
	}
	if (totals->call_count)
		give_to_caller(totals, call);
}

void row_totals_leave(struct row_totals *totals, uint32_t rank)
{
	while (totals->call_count && totals->calls[totals->call_count - 1].rank != rank)
		leave_last(totals);
}

void row_totals_enter(struct row_totals *totals, uint32_t rank, uint32_t row)
{
	const size_t number = totals->call_count++;

	totals->calls =
		array_grow(totals->calls, &totals->call_capacity, totals->call_count, sizeof(*totals->calls));
	totals->calls[number] = (struct open_call){
		.row = row,
		.rank = rank,
		.height = totals->heights_from_leaf ? 1 : (uint32_t)totals->call_count,
		.first_sample = UINT32_MAX,
	};
	row_at(totals, row)->open++;
}

static void add_to_call(struct open_call *call, const struct row_sample *sample)
{
	saturating_add(&call->count, sample->count);
	saturating_add(&call->weight, sample->weight);
	lower_to(&call->first_sample, sample->number);
}

/* If the row has an open call, the sample is counted there. */
static void add_to_row(struct row_total *row, const struct row_sample *sample)
{
	lower_to(&row->first_sample, sample->number);
	if (row->open)
		return;
	saturating_add(&row->count, sample->count);
	saturating_add(&row->weight, sample->weight);
}

/* The graph of the leaf's row shows the whole stack, so its height is that of the stack. */
void row_totals_add(struct row_totals *totals, uint32_t leaf_row, const struct row_sample *sample)
{
	struct row_total *row = row_at(totals, leaf_row);

	if (totals->call_count)
		add_to_call(&totals->calls[totals->call_count - 1], sample);
	add_to_row(row, sample);
	raise_to(&row->height, (uint32_t)totals->call_count);
}
