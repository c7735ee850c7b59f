/*
 * Samples are sorted by group (row_finder.h), and within a group by the depth-first rank of their leaf. Neighbours then share
 * most of their calls, so add_sample() enters only the calls that differ, and row_totals.h adds up the sums. Hits for call
 * graphs are kept in a second pass, in the order of the profile.
 */
#include "report/rows/hist_row.h"

#include <stdlib.h>

#include "base/radix_sort.h"
#include "base/saturating.h"
#include "base/xalloc.h"
#include "profile/stack_ranks.h"
#include "report/rows/row_finder.h"
#include "report/rows/row_totals.h"

struct shown_sample {
	struct row_sample added;
	uint32_t group;    /* see row_finder.h */
	uint32_t rank;     /* of its leaf; PROFILE_NONE: it has no stack */
	uint32_t compiled; /* place of the sampled function itself, not of code inlined there */
	bool in_kernel;
};

struct ranked_node {
	uint32_t caller; /* its rank; PROFILE_NONE: none */
	uint32_t place;
};

struct builder {
	struct hist *hist;
	const struct profile_stack *nodes; /* the profile's */
	uint32_t *ranks;                   /* by node */
	struct ranked_node *ranked;        /* by rank */
	struct row_finder finder;
	struct row_totals totals; /* by row; the open calls are those of the current group */
	uint32_t next_rank;       /* nodes of the group from here on have not been entered yet */
	uint32_t *entered;        /* scratch: ranks */
	size_t entered_capacity;
	struct shown_sample *shown;
	size_t shown_count, shown_capacity;
	size_t hit_count, hit_capacity;
};

/* --- the samples that are shown ---------------------------------------------------------------------- */

static uint32_t place_of(const struct builder *builder, uint32_t stack)
{
	return stack == PROFILE_NONE ? 0 : row_finder_place(&builder->finder, &builder->nodes[stack]);
}

static bool in_kernel(const struct profile *profile, uint32_t stack)
{
	enum frame_mode mode;

	if (stack == PROFILE_NONE)
		return false;
	mode = profile_location_at(profile, profile_stack_at(profile, stack)->location)->mode;
	return mode == FRAME_KERNEL || mode == FRAME_GUEST_KERNEL || mode == FRAME_HYPERVISOR;
}

static void take_sample(struct builder *builder, uint32_t number)
{
	const struct profile *profile = builder->hist->profile;
	const struct profile_sample *sample = profile_sample_at(profile, number);
	const uint32_t stack = sample->stack;

	*ARRAY_ADD(builder->shown, builder->shown_count, builder->shown_capacity) = (struct shown_sample){
		.added = { .number = number, .count = sample->count, .weight = sample->weight },
		.group = row_finder_group(&builder->finder, sample),
		.rank = stack == PROFILE_NONE ? PROFILE_NONE : builder->ranks[stack],
		.compiled = place_of(builder, profile_compiled_stack(profile, stack)),
		.in_kernel = in_kernel(profile, stack),
	};
}

/*
 * Numbers of the shown samples, group by group; within a group in the order of their stacks or, for call graphs, of the profile.
 */
static struct radix_item *order_samples(const struct builder *builder, bool by_stack)
{
	const uint64_t places = (uint64_t)profile_stack_count(builder->hist->profile) + 1;
	struct radix_item *items = xmalloc((builder->shown_count + 1) * sizeof(*items));

	for (uint32_t i = 0; i < builder->shown_count; i++) {
		const struct shown_sample *sample = &builder->shown[i];

		items[i] = (struct radix_item){ .key = sample->group * places, .number = i };
		if (by_stack && sample->rank != PROFILE_NONE)
			items[i].key += 1 + sample->rank;
	}
	radix_sort(items, builder->shown_count);
	return items;
}

/* --- adding samples ---------------------------------------------------------------------------------- */

static uint32_t find_leaf_row(struct builder *builder, const struct shown_sample *sample)
{
	const uint32_t leaf = sample->rank == PROFILE_NONE ? 0 : builder->ranked[sample->rank].place;

	return sample->compiled == leaf ?
		       row_finder_row(&builder->finder, sample->group, leaf) :
		       row_finder_look_up(&builder->finder, sample->group, sample->compiled, leaf);
}

static struct hist_row *row_at(struct builder *builder, uint32_t number)
{
	return &builder->finder.rows[number];
}

static void add_self(struct builder *builder, uint32_t row_number, const struct shown_sample *sample)
{
	struct hist_row *row = row_at(builder, row_number);

	saturating_add(&row->self_count, sample->added.count);
	saturating_add(&row->self_weight, sample->added.weight);
	saturating_add(sample->in_kernel ? &row->kernel_weight : &row->user_weight, sample->added.weight);
}

/* Enters the calls that lead to the sample and are not open yet. */
static void enter_calls(struct builder *builder, const struct shown_sample *sample)
{
	uint32_t rank = sample->rank;
	size_t count = 0;

	for (; rank != PROFILE_NONE && rank >= builder->next_rank; rank = builder->ranked[rank].caller)
		*ARRAY_ADD(builder->entered, count, builder->entered_capacity) = rank;
	row_totals_leave(&builder->totals, rank);
	while (count > 0) {
		rank = builder->entered[--count];
		row_totals_enter(&builder->totals, rank,
				 row_finder_row(&builder->finder, sample->group,
						builder->ranked[rank].place));
	}
	builder->next_rank = sample->rank + 1; /* 0 if it has no stack */
}

static void add_sample(struct builder *builder, const struct shown_sample *sample)
{
	const uint32_t row = find_leaf_row(builder, sample);

	add_self(builder, row, sample);
	if (builder->hist->options.children)
		enter_calls(builder, sample);
	row_totals_add(&builder->totals, row, &sample->added);
}

static void begin_group(struct builder *builder)
{
	row_totals_leave(&builder->totals, PROFILE_NONE);
	builder->next_rank = 0;
}

static void add_samples(struct builder *builder)
{
	struct radix_item *items = order_samples(builder, true);
	uint32_t group = 0;

	for (size_t i = 0; i < builder->shown_count; i++) {
		const struct shown_sample *sample = &builder->shown[items[i].number];

		if (sample->group != group)
			begin_group(builder);
		group = sample->group;
		add_sample(builder, sample);
	}
	row_totals_leave(&builder->totals, PROFILE_NONE);
	free(items);
}

/* --- samples of a row, for its graph ----------------------------------------------------------------- */

static void keep_hit(struct builder *builder, struct hist_row *row, uint32_t sample, uint32_t stack)
{
	struct hist *hist = builder->hist;

	hist->hits =
		array_grow(hist->hits, &builder->hit_capacity, builder->hit_count + 1, sizeof(*hist->hits));
	hist->hits[builder->hit_count] =
		(struct hist_hit){ .sample = sample, .stack = stack, .next = row->first_hit };
	row->first_hit = (uint32_t)builder->hit_count++;
}

/*
 * If a stack has several frames in one row, the row's graph begins with the outermost in caller order and with the innermost in
 * callee order: in both, the frame farthest from the graph's end. The leaf's own row shows the whole stack.
 */
static void keep_callers_hit(struct builder *builder, struct hist_row *row, uint32_t sample, uint32_t stack)
{
	struct hist_hit *newest = row->first_hit == HIST_NO_HIT ? NULL : &builder->hist->hits[row->first_hit];

	if (!newest || newest->sample != sample)
		keep_hit(builder, row, sample, stack);
	else if (newest->stack != PROFILE_NONE && builder->hist->options.order == CALL_ORDER_CALLER)
		newest->stack = stack;
}

static void keep_hits(struct builder *builder, const struct shown_sample *sample)
{
	const uint32_t number = sample->added.number;
	uint32_t stack = PROFILE_NONE;

	keep_hit(builder, row_at(builder, find_leaf_row(builder, sample)), number, PROFILE_NONE);
	if (builder->hist->options.children)
		stack = profile_sample_at(builder->hist->profile, number)->stack;
	for (; stack != PROFILE_NONE; stack = builder->nodes[stack].parent) {
		const uint32_t row =
			row_finder_row(&builder->finder, sample->group, place_of(builder, stack));

		keep_callers_hit(builder, row_at(builder, row), number, stack);
	}
}

static void keep_all_hits(struct builder *builder)
{
	struct radix_item *items = order_samples(builder, false);

	for (size_t i = 0; i < builder->shown_count; i++)
		keep_hits(builder, &builder->shown[items[i].number]);
	free(items);
}

/* --- building the rows ----------------------------------------------------------------------------------- */

static void take_samples(struct builder *builder, uint32_t event, const struct filter *filter)
{
	struct hist *hist = builder->hist;
	uint32_t count = profile_sample_count(hist->profile), i;

	for (i = 0; i < count; i++) {
		const struct profile_sample *sample = profile_sample_at(hist->profile, i);

		if ((event != PROFILE_NONE && sample->event != event) ||
		    !filter_counts(filter, hist->profile, sample))
			continue;
		saturating_add(&hist->count, sample->count);
		saturating_add(&hist->weight, sample->weight);
		if (!filter_passes(filter, hist->profile, sample))
			continue;
		saturating_add(&hist->shown_count, sample->count);
		saturating_add(&hist->shown_weight, sample->weight);
		take_sample(builder, i);
	}
}

/* Moves the sums into the rows, and the rows to the hist. */
static void give_rows(struct builder *builder)
{
	struct hist *hist = builder->hist;
	uint32_t i;

	hist->rows = builder->finder.rows;
	hist->row_count = (uint32_t)builder->finder.row_count;
	for (i = 0; i < hist->row_count; i++) {
		const struct row_total *total = &builder->totals.rows[i];

		hist->rows[i].thread = profile_sample_at(hist->profile, total->first_sample)->thread;
		hist->rows[i].total_count = total->count;
		hist->rows[i].total_weight = total->weight;
		hist->rows[i].height = total->height;
	}
}

static void rank_nodes(struct builder *builder)
{
	const uint32_t count = profile_stack_count(builder->hist->profile);

	builder->ranks = stack_ranks_make(builder->hist->profile);
	builder->ranked = xmalloc(((size_t)count + 1) * sizeof(*builder->ranked));
	for (uint32_t i = 0; i < count; i++) {
		const uint32_t caller = builder->nodes[i].parent;

		builder->ranked[builder->ranks[i]] = (struct ranked_node){
			.caller = caller == PROFILE_NONE ? PROFILE_NONE : builder->ranks[caller],
			.place = place_of(builder, i),
		};
	}
}

static void builder_init(struct builder *builder, struct hist *hist)
{
	*builder = (struct builder){ .hist = hist };
	if (profile_stack_count(hist->profile))
		builder->nodes = profile_stack_at(hist->profile, 0);
	row_finder_init(&builder->finder, hist, hist->options.keep_hits);
	row_totals_init(&builder->totals, hist->options.order == CALL_ORDER_CALLER);
	rank_nodes(builder);
}

static void builder_fini(struct builder *builder)
{
	row_finder_fini(&builder->finder);
	row_totals_fini(&builder->totals);
	free(builder->ranks);
	free(builder->ranked);
	free(builder->entered);
	free(builder->shown);
}

void hist_rows_add(struct hist *hist, uint32_t event, const struct filter *filter)
{
	struct builder builder;

	builder_init(&builder, hist);
	take_samples(&builder, event, filter);
	add_samples(&builder);
	if (hist->options.keep_hits)
		keep_all_hits(&builder);
	give_rows(&builder);
	builder_fini(&builder);
}
