#include "report/hist_rows.h"

#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"
#include "profile/intern_table.h"

/* Of one row, what each frame of each stack touches: apart from the rest, so that it stays in the caches. */
struct row_total {
	uint64_t count, weight;
	uint32_t height;
	uint32_t last_sample; /* that was added */
};

struct shown_sample {
	uint32_t sampled; /* by whom: see `sampled` below */
	uint32_t number;
	uint32_t stack;
	uint64_t count, weight;
};

/*
 * Some keys of a row are decided by the sample's thread and CPU, the others by a node of its stack. Samples are added
 * in groups that agree in the former, so that within a group the latter alone lead to the row.
 */
struct builder {
	struct hist *hist;
	const struct profile_stack *nodes; /* the profile's */
	struct intern_table rows;
	struct row_total *totals; /* by row */
	size_t total_capacity;
	size_t hit_count, hit_capacity;

	struct intern_table sampled; /* the groups: rows of which only the former keys are known */
	struct shown_sample *shown;
	size_t shown_count, shown_capacity;

	uint32_t *row_of_place; /* one more than its number: what does not exceed `rows_before` is of another group */
	uint32_t rows_before; /* the group at hand */
};

static bool row_equal(const void *items, uint32_t item, const void *key)
{
	const struct hist_row *a = (const struct hist_row *)items + item, *b = key;

	return !memcmp(a->keys, b->keys, sizeof(a->keys));
}

static void add_to(uint64_t *sum, uint64_t value)
{
	if (__builtin_add_overflow(*sum, value, sum))
		*sum = UINT64_MAX;
}

/* --- keys -------------------------------------------------------------------------------------------- */

static bool is_source_column(enum column column)
{
	return column == COLUMN_SRCLINE || column == COLUMN_SRCFILE;
}

static bool is_stack_column(enum column column)
{
	return column == COLUMN_DSO || column == COLUMN_SYMBOL || is_source_column(column);
}

static uint32_t sample_key(const struct profile *profile, enum column column,
			   const struct profile_sample *sample)
{
	const struct profile_thread *thread = profile_thread_at(profile, sample->thread);

	switch (column) {
	case COLUMN_CPU: return sample->cpu;
	case COLUMN_COMM: return thread->comm;
	case COLUMN_TGID: return thread->pid;
	default: return thread->tid;
	}
}

static uint32_t frame_key(const struct hist *hist, enum column column, uint32_t stack)
{
	uint32_t frame;

	if (stack == PROFILE_NONE)
		return PROFILE_NONE;
	frame = frame_table_of_stack(hist->frames, hist->profile, stack);
	return column == COLUMN_SYMBOL ? frame : hist->frames->frames[frame].dso_name;
}

static uint32_t source_key(const struct hist *hist, const uint32_t *texts, uint32_t stack)
{
	return stack == PROFILE_NONE ? PROFILE_NONE : texts[profile_stack_at(hist->profile, stack)->location];
}

static uint32_t stack_key(const struct hist *hist, enum column column, uint32_t stack, uint32_t source)
{
	switch (column) {
	case COLUMN_SRCLINE: return source_key(hist, hist->options.sources->lines, source);
	case COLUMN_SRCFILE: return source_key(hist, hist->options.sources->files, source);
	default: return frame_key(hist, column, stack);
	}
}

static uint64_t hash_keys(const struct builder *builder, const struct hist_row *row)
{
	uint64_t hash = 0;
	size_t i;

	for (i = 0; i < builder->hist->options.layout->keys.count; i++)
		hash = hash_combine(hash, row->keys[i]);
	return hash;
}

/* --- groups of samples ------------------------------------------------------------------------------- */

static uint32_t find_group(struct builder *builder, const struct profile_sample *sample)
{
	const struct column_list *keys = &builder->hist->options.layout->keys;
	struct hist_row row = { .first_hit = HIST_NO_HIT };
	size_t i;

	for (i = 0; i < keys->count; i++)
		if (!is_stack_column(keys->items[i]))
			row.keys[i] = sample_key(builder->hist->profile, keys->items[i], sample);
	return intern_table_add(&builder->sampled, hash_keys(builder, &row), &row);
}

static void take_sample(struct builder *builder, uint32_t number)
{
	const struct profile_sample *sample = profile_sample_at(builder->hist->profile, number);

	builder->shown = array_grow(builder->shown, &builder->shown_capacity, builder->shown_count + 1,
				    sizeof(*builder->shown));
	builder->shown[builder->shown_count++] = (struct shown_sample){
		.sampled = find_group(builder, sample),
		.number = number,
		.stack = sample->stack,
		.count = sample->count,
		.weight = sample->weight,
	};
}

/* Puts the samples of each group one behind the other, in their order. */
static void sort_by_group(struct builder *builder)
{
	struct shown_sample *sorted = xmalloc((builder->shown_count + 1) * sizeof(*sorted));
	size_t *next = xcalloc(builder->sampled.count + 1, sizeof(*next)), i;

	for (i = 0; i < builder->shown_count; i++)
		next[builder->shown[i].sampled + 1]++;
	for (i = 1; i < builder->sampled.count; i++)
		next[i] += next[i - 1];
	for (i = 0; i < builder->shown_count; i++)
		sorted[next[builder->shown[i].sampled]++] = builder->shown[i];
	free(next);
	free(builder->shown);
	builder->shown = sorted;
}

/* --- finding rows ------------------------------------------------------------------------------------ */

/* Nodes of one place differ in none of the keys that they decide. 0 is that of no node. */
static size_t place_of(const struct builder *builder, uint32_t stack)
{
	const struct profile_stack *node;

	if (stack == PROFILE_NONE)
		return 0;
	node = &builder->nodes[stack];
	return 1 + 2 * (size_t)node->location + (node->origin == FRAME_GUESSED);
}

static size_t count_places(const struct profile *profile)
{
	return 1 + 2 * (size_t)profile_location_count(profile);
}

/* The row of `sample` at the node `stack`, whose instruction is `source`: the same node, or what is inlined there. */
static uint32_t make_row(struct builder *builder, const struct shown_sample *sample, uint32_t stack,
			 uint32_t source)
{
	const struct column_list *keys = &builder->hist->options.layout->keys;
	struct hist_row row = ((const struct hist_row *)builder->sampled.items)[sample->sampled];
	size_t i, before = builder->rows.count;
	uint32_t number;

	row.thread = profile_sample_at(builder->hist->profile, sample->number)->thread;
	for (i = 0; i < keys->count; i++)
		if (is_stack_column(keys->items[i]))
			row.keys[i] = stack_key(builder->hist, keys->items[i], stack, source);
	number = intern_table_add(&builder->rows, hash_keys(builder, &row), &row);
	if (builder->rows.count > before) {
		builder->totals = array_grow(builder->totals, &builder->total_capacity, builder->rows.count,
					     sizeof(*builder->totals));
		builder->totals[number] = (struct row_total){ .last_sample = PROFILE_NONE };
	}
	return number;
}

/* Inline, as is add_total(): a large recording has millions of frames, and what is done for each is little. */
static inline uint32_t find_row(struct builder *builder, const struct shown_sample *sample, uint32_t stack)
{
	uint32_t *known = &builder->row_of_place[place_of(builder, stack)];

	if (*known <= builder->rows_before)
		*known = 1 + make_row(builder, sample, stack, stack);
	return *known - 1;
}

/* As in perf, what runs in an inlined function is the function's that was compiled: only that one has a symbol. */
static uint32_t find_leaf_row(struct builder *builder, const struct shown_sample *sample, uint32_t leaf)
{
	uint32_t compiled = profile_compiled_stack(builder->hist->profile, leaf);

	return compiled == leaf ? find_row(builder, sample, leaf) : make_row(builder, sample, compiled, leaf);
}

/* --- adding samples ---------------------------------------------------------------------------------- */

static struct hist_row *row_at(struct builder *builder, uint32_t number)
{
	return (struct hist_row *)builder->rows.items + number;
}

static void keep_hit(struct builder *builder, struct hist_row *row, uint32_t sample, uint32_t stack)
{
	struct hist *hist = builder->hist;

	hist->hits =
		array_grow(hist->hits, &builder->hit_capacity, builder->hit_count + 1, sizeof(*hist->hits));
	hist->hits[builder->hit_count] =
		(struct hist_hit){ .sample = sample, .stack = stack, .next = row->first_hit };
	row->first_hit = (uint32_t)builder->hit_count++;
}

static bool in_kernel(const struct profile *profile, uint32_t stack)
{
	enum frame_mode mode;

	if (stack == PROFILE_NONE)
		return false;
	mode = profile_location_at(profile, profile_stack_at(profile, stack)->location)->mode;
	return mode == FRAME_KERNEL || mode == FRAME_GUEST_KERNEL || mode == FRAME_HYPERVISOR;
}

static void add_self(struct builder *builder, uint32_t row_number, const struct profile_sample *sample)
{
	struct hist_row *row = row_at(builder, row_number);

	add_to(&row->self_count, sample->count);
	add_to(&row->self_weight, sample->weight);
	add_to(in_kernel(builder->hist->profile, sample->stack) ? &row->kernel_weight : &row->user_weight,
	       sample->weight);
}

/* `stack` is PROFILE_NONE for the leaf; `height` the frames from there to the end of the row's graph. */
static inline void add_total(struct builder *builder, uint32_t row, const struct shown_sample *sample,
			     uint32_t stack, size_t height)
{
	struct row_total *total = &builder->totals[row];

	total->last_sample = sample->number;
	add_to(&total->count, sample->count);
	add_to(&total->weight, sample->weight);
	if (height > total->height)
		total->height = (uint32_t)height;
	if (builder->hist->options.keep_hits)
		keep_hit(builder, row_at(builder, row), sample->number, stack);
}

/* A row's graph begins with the outermost of its frames in caller order: the hit goes up to this one, its newest. */
static void raise_hit(struct builder *builder, uint32_t row, uint32_t stack)
{
	struct hist_hit *hit = &builder->hist->hits[row_at(builder, row)->first_hit];

	if (hit->stack != PROFILE_NONE)
		hit->stack = stack;
}

/*
 * The frames from the leaf to the root. Of several in one row, the row's graph begins with the outermost in caller
 * order and with the innermost in callee order, which is the one that is farthest from the graph's end in either.
 */
static void add_callers(struct builder *builder, const struct shown_sample *sample, uint32_t leaf,
			size_t length)
{
	const struct hist *hist = builder->hist;
	const bool from_root = hist->options.order == CALL_ORDER_CALLER;
	uint32_t stack = leaf;
	size_t step;

	for (step = 0; stack != PROFILE_NONE; step++) {
		const size_t height = from_root ? step + 1 : length - step;
		const uint32_t row = find_row(builder, sample, stack);
		struct row_total *total = &builder->totals[row];

		if (total->last_sample != sample->number) {
			add_total(builder, row, sample, stack, height);
		} else if (from_root) {
			if (height > total->height)
				total->height = (uint32_t)height;
			if (hist->options.keep_hits)
				raise_hit(builder, row, stack);
		}
		stack = builder->nodes[stack].parent;
	}
}

/* The number of a stack's frames. The nodes' depth goes no farther than 65535. */
static size_t stack_length(const struct profile *profile, uint32_t stack)
{
	size_t length = 0;

	for (; stack != PROFILE_NONE; stack = profile_stack_at(profile, stack)->parent, length++)
		if (profile_stack_at(profile, stack)->depth < UINT16_MAX)
			return length + profile_stack_at(profile, stack)->depth + 1;
	return length;
}

static void add_sample(struct builder *builder, const struct shown_sample *shown)
{
	const struct profile *profile = builder->hist->profile;
	const struct profile_sample *sample = profile_sample_at(profile, shown->number);
	const size_t length = stack_length(profile, sample->stack);
	const uint32_t row = find_leaf_row(builder, shown, sample->stack);

	add_self(builder, row, sample);
	add_total(builder, row, shown, PROFILE_NONE, length);
	if (builder->hist->options.children)
		add_callers(builder, shown, sample->stack, length);
}

enum { NODES_AHEAD = 16, LOCATIONS_AHEAD = 8 }; /* samples */

/* Leaves are new to nearly every sample and lie anywhere in memory: they are fetched before their turn. */
static void prefetch_leaves(const struct builder *builder, size_t i)
{
	const struct profile *profile = builder->hist->profile;
	uint32_t stack;

	if (i + NODES_AHEAD >= builder->shown_count)
		return;
	stack = builder->shown[i + NODES_AHEAD].stack;
	if (stack != PROFILE_NONE)
		__builtin_prefetch(&builder->nodes[stack]);
	stack = builder->shown[i + LOCATIONS_AHEAD].stack;
	if (stack != PROFILE_NONE) {
		__builtin_prefetch(profile_location_at(profile, builder->nodes[stack].location));
		__builtin_prefetch(&builder->row_of_place[place_of(builder, stack)]);
	}
}

static void add_samples(struct builder *builder)
{
	size_t i;

	sort_by_group(builder);
	builder->row_of_place = xcalloc(count_places(builder->hist->profile), sizeof(*builder->row_of_place));
	for (i = 0; i < builder->shown_count; i++) {
		if (i && builder->shown[i].sampled != builder->shown[i - 1].sampled)
			builder->rows_before = (uint32_t)builder->rows.count;
		prefetch_leaves(builder, i);
		add_sample(builder, &builder->shown[i]);
	}
	free(builder->row_of_place);
}

static void take_samples(struct builder *builder, uint32_t event, const struct filter *filter)
{
	struct hist *hist = builder->hist;
	uint32_t count = profile_sample_count(hist->profile), i;

	for (i = 0; i < count; i++) {
		const struct profile_sample *sample = profile_sample_at(hist->profile, i);

		if ((event != PROFILE_NONE && sample->event != event) ||
		    !filter_counts(filter, hist->profile, sample))
			continue;
		add_to(&hist->count, sample->count);
		add_to(&hist->weight, sample->weight);
		if (!filter_passes(filter, hist->profile, sample))
			continue;
		add_to(&hist->shown_count, sample->count);
		add_to(&hist->shown_weight, sample->weight);
		take_sample(builder, i);
	}
}

/* What was added up meanwhile goes into the rows, and the rows to the hist. */
static void give_rows(struct builder *builder)
{
	struct hist *hist = builder->hist;
	uint32_t i;

	hist->rows = builder->rows.items;
	hist->row_count = (uint32_t)builder->rows.count;
	builder->rows.items = NULL;
	for (i = 0; i < hist->row_count; i++) {
		hist->rows[i].total_count = builder->totals[i].count;
		hist->rows[i].total_weight = builder->totals[i].weight;
		hist->rows[i].height = builder->totals[i].height;
	}
}

static void builder_init(struct builder *builder, struct hist *hist)
{
	*builder = (struct builder){ .hist = hist };
	if (profile_stack_count(hist->profile))
		builder->nodes = profile_stack_at(hist->profile, 0);
	intern_table_init(&builder->rows, sizeof(struct hist_row), row_equal);
	intern_table_init(&builder->sampled, sizeof(struct hist_row), row_equal);
}

static void builder_fini(struct builder *builder)
{
	intern_table_fini(&builder->rows);
	intern_table_fini(&builder->sampled);
	free(builder->totals);
	free(builder->shown);
}

void hist_rows_add(struct hist *hist, uint32_t event, const struct filter *filter)
{
	struct builder builder;

	builder_init(&builder, hist);
	take_samples(&builder, event, filter);
	add_samples(&builder);
	give_rows(&builder);
	builder_fini(&builder);
}
