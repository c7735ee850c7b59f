#include "report/hist.h"

#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"
#include "profile/intern_table.h"

struct builder {
	struct hist *hist;
	struct intern_table rows;
	uint32_t *last_sample; /* by row: the sample that was added last; NULL without children */
	size_t last_capacity;
	size_t hit_count, hit_capacity;
	struct hist_path path; /* of the sample at hand, root first */
};

static bool row_equal(const void *items, uint32_t item, const void *key)
{
	const struct hist_row *a = (const struct hist_row *)items + item, *b = key;

	return !memcmp(a->keys, b->keys, sizeof(a->keys));
}

static uint32_t thread_key(const struct profile *profile, enum column column, uint32_t number)
{
	const struct profile_thread *thread = profile_thread_at(profile, number);

	switch (column) {
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

static bool is_source_column(enum column column)
{
	return column == COLUMN_SRCLINE || column == COLUMN_SRCFILE;
}

static uint32_t key_of(const struct hist *hist, enum column column, const struct profile_sample *sample,
		       uint32_t stack)
{
	switch (column) {
	case COLUMN_DSO:
	case COLUMN_SYMBOL: return frame_key(hist, column, stack);
	case COLUMN_SRCLINE: return source_key(hist, hist->options.sources->lines, stack);
	case COLUMN_SRCFILE: return source_key(hist, hist->options.sources->files, stack);
	case COLUMN_CPU: return sample->cpu;
	default: return thread_key(hist->profile, column, sample->thread);
	}
}

/*
 * The number of the row that `sample` belongs to at the node `stack`, whose instruction is `source`: the same node,
 * or what is inlined there.
 */
static uint32_t find_row_of(struct builder *builder, const struct profile_sample *sample, uint32_t stack,
			    uint32_t source)
{
	const struct column_list *keys = &builder->hist->options.layout->keys;
	struct hist_row row = { .thread = sample->thread, .first_hit = HIST_NO_HIT };
	uint64_t hash = 0;
	size_t i, before = builder->rows.count;
	uint32_t number;

	for (i = 0; i < keys->count; i++) {
		row.keys[i] = key_of(builder->hist, keys->items[i], sample,
				     is_source_column(keys->items[i]) ? source : stack);
		hash = hash_combine(hash, row.keys[i]);
	}
	number = intern_table_add(&builder->rows, hash, &row);
	if (builder->rows.count > before) {
		builder->last_sample = array_grow(builder->last_sample, &builder->last_capacity,
						  builder->rows.count, sizeof(*builder->last_sample));
		builder->last_sample[number] = PROFILE_NONE;
	}
	return number;
}

static uint32_t find_row(struct builder *builder, const struct profile_sample *sample, uint32_t stack)
{
	return find_row_of(builder, sample, stack, stack);
}

/* As in perf, what runs in an inlined function is the function's that was compiled: only that one has a symbol. */
static uint32_t find_leaf_row(struct builder *builder, const struct profile_sample *sample)
{
	return find_row_of(builder, sample, profile_compiled_stack(builder->hist->profile, sample->stack),
			   sample->stack);
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

static void add_to(uint64_t *sum, uint64_t value)
{
	if (__builtin_add_overflow(*sum, value, sum))
		*sum = UINT64_MAX;
}

static struct hist_row *row_at(struct builder *builder, uint32_t number)
{
	return (struct hist_row *)builder->rows.items + number;
}

/* `stack` is PROFILE_NONE for the leaf; `height` the frames from the row to the end of its graph. */
static void add_total(struct builder *builder, uint32_t row_number, uint32_t sample_number, uint32_t stack,
		      size_t height)
{
	const struct profile_sample *sample = profile_sample_at(builder->hist->profile, sample_number);
	struct hist_row *row = row_at(builder, row_number);

	builder->last_sample[row_number] = sample_number;
	add_to(&row->total_count, sample->count);
	add_to(&row->total_weight, sample->weight);
	if (height > row->height)
		row->height = (uint32_t)height;
	if (builder->hist->options.keep_hits)
		keep_hit(builder, row, sample_number, stack);
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

static void path_from_root(const struct profile *profile, uint32_t stack, struct hist_path *path)
{
	path_from(profile, PROFILE_NONE, stack, path);
}

/*
 * The frames above the leaf, in the order of the graph: the first frame of several in one row is the one that
 * the row's graph begins with, so it is the outermost in caller order and the innermost in callee order.
 */
static void add_callers(struct builder *builder, uint32_t sample_number)
{
	const struct hist *hist = builder->hist;
	const struct profile_sample *sample = profile_sample_at(hist->profile, sample_number);
	const struct hist_path *path = &builder->path;
	bool from_root = hist->options.order == CALL_ORDER_CALLER;
	size_t step;

	for (step = 0; step < path->length; step++) {
		uint32_t stack = path->stacks[from_root ? step : path->length - 1 - step];
		uint32_t row = find_row(builder, sample, stack);

		if (builder->last_sample[row] != sample_number)
			add_total(builder, row, sample_number, stack, path->length - step);
	}
}

static void add_sample(struct builder *builder, uint32_t sample_number)
{
	struct hist *hist = builder->hist;
	const struct profile_sample *sample = profile_sample_at(hist->profile, sample_number);
	uint32_t row = find_leaf_row(builder, sample);

	add_self(builder, row, sample);
	path_from_root(hist->profile, sample->stack, &builder->path);
	add_total(builder, row, sample_number, PROFILE_NONE, builder->path.length);
	if (hist->options.children)
		add_callers(builder, sample_number);
}

static void add_samples(struct builder *builder, uint32_t event, const struct filter *filter)
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
		add_sample(builder, i);
	}
}

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
	struct builder builder = { .hist = hist };

	*hist = (struct hist){ .profile = profile, .frames = frames, .options = *options };
	intern_table_init(&builder.rows, sizeof(struct hist_row), row_equal);
	add_samples(&builder, event, filter);

	hist->rows = builder.rows.items;
	hist->row_count = (uint32_t)builder.rows.count;
	builder.rows.items = NULL; /* taken over */
	intern_table_fini(&builder.rows);
	free(builder.last_sample);
	hist_path_fini(&builder.path);
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
	path_from_root(hist->profile, hit->stack == PROFILE_NONE ? leaf : hit->stack, path);
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
