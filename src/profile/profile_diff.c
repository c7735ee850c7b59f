/*
 * Texts are interned anew, so that both sides share numbers. For each run, match_frames() maps its frames to common functions,
 * and add_samples() adds every sample to the row of its leaf and to those of its callers, once each. Sums for each slice of time
 * are kept as well, for compare.h.
 */
#include "profile/profile_diff.h"

#include <stdlib.h>
#include <string.h>

#include "base/saturating.h"
#include "base/str_pool.h"
#include "base/xalloc.h"
#include "profile/intern_table.h"
#include "profile/match_name.h"
#include "profile/sample_slices.h"

enum { DSO_NAME_SIZE = 256 };

/* Computed once per frame of a run. */
struct run_state {
	struct diff_run run;
	int side;
	uint32_t *functions;         /* by frame: the function, independent of the keys */
	uint32_t *keys;              /* by frame: the part of it that the keys distinguish */
	uint32_t *rows;              /* by sample: the row of its leaf; DIFF_NONE if not shown */
	struct sample_slices slices; /* while samples are added */
	struct diff_sums counted, shown;
	struct diff_sums *self, *total; /* by row; NULL if the run is the only one of its side */
	size_t self_capacity, total_capacity;
};

/* By row: weights in the slices of a side. */
struct slice_table {
	double (*rows)[COMPARE_SLICES];
	size_t capacity;
};

/* For one side: of everything, and of rows, alone (self) and with what they called (total). */
struct side_slices {
	double counted[COMPARE_SLICES], shown[COMPARE_SLICES];
	struct slice_table self, total;
};

struct profile_diff {
	struct run_state *runs; /* first those of the earlier side */
	size_t run_counts[COMPARE_SIDES];
	const struct name_pairs *pairs;
	unsigned keys;
	struct str_pool *texts;
	struct intern_table functions; /* struct diff_function */
	struct intern_table rows;      /* struct diff_row */
	uint32_t *last_sample; /* by row: the last sample that was added, so that each is added once */
	size_t last_capacity;
	struct side_slices slices[COMPARE_SIDES];
	bool has_slices; /* every run has them */
};

static bool function_equal(const void *items, uint32_t item, const void *key)
{
	const struct diff_function *a = (const struct diff_function *)items + item, *b = key;

	return a->dso == b->dso && a->symbol == b->symbol;
}

static bool row_equal(const void *items, uint32_t item, const void *key)
{
	const struct diff_row *a = (const struct diff_row *)items + item, *b = key;

	return a->comm == b->comm && a->cpu == b->cpu && a->function == b->function;
}

static void add_to(struct diff_sums *sums, uint64_t count, uint64_t weight)
{
	saturating_add(&sums->count, count);
	saturating_add(&sums->weight, weight);
}

static void add_sums(struct diff_sums *sums, const struct profile_sample *sample)
{
	add_to(sums, sample->count, sample->weight);
}

/* --- names in common ---------------------------------------------------------- */

/* Translates the later profile's name of a DSO into the earlier one's. */
static uint32_t dso_text(struct profile_diff *diff, const struct run_state *state, uint32_t name)
{
	char buffer[DSO_NAME_SIZE];
	const char *text;

	if (name == PROFILE_NONE)
		return DIFF_NONE;
	text = match_dso_name(profile_text(state->run.profile, name), buffer, sizeof(buffer));
	if (state->side == COMPARE_AFTER)
		text = name_pairs_before(diff->pairs, text);
	return str_pool_add(diff->texts, text);
}

static uint32_t add_function(struct profile_diff *diff, const struct diff_function *function)
{
	return intern_table_add(&diff->functions, hash_combine(function->dso, function->symbol), function);
}

static void match_frames(struct profile_diff *diff, struct run_state *state)
{
	const struct frame_table *table = state->run.frames;
	const struct profile *profile = state->run.profile;

	state->functions = xmalloc(((size_t)table->count + 1) * sizeof(*state->functions));
	state->keys = xmalloc(((size_t)table->count + 1) * sizeof(*state->keys));
	for (uint32_t i = 0; i < table->count; i++) {
		const struct frame *frame = &table->frames[i];
		struct diff_function function = { dso_text(diff, state, frame->dso_name), DIFF_NONE,
						  frame->mode };

		if (frame->name != PROFILE_NONE) {
			const char *name = profile_text(profile, frame->name);

			function.symbol = str_pool_add_n(diff->texts, name, match_function_length(name));
		}
		state->functions[i] = add_function(diff, &function);
		if (!(diff->keys & DIFF_BY_SYMBOL))
			function.symbol = DIFF_NONE;
		state->keys[i] = diff->keys & (DIFF_BY_SYMBOL | DIFF_BY_DSO) ? add_function(diff, &function) :
									       DIFF_NONE;
	}
}

/* --- rows --------------------------------------------------------------------- */

static uint32_t row_of(struct profile_diff *diff, const struct run_state *state,
		       const struct profile_sample *sample, uint32_t stack)
{
	const struct profile *profile = state->run.profile;
	struct diff_row row = { .comm = DIFF_NONE, .cpu = DIFF_NONE, .function = DIFF_NONE };
	size_t before = diff->rows.count;
	uint32_t number;

	if (diff->keys & DIFF_BY_COMM) {
		const char *comm = profile_text(profile, profile_thread_at(profile, sample->thread)->comm);

		row.comm = str_pool_add(diff->texts, state->side == COMPARE_AFTER ?
							     name_pairs_comm_before(diff->pairs, comm) :
							     comm);
	}
	if (diff->keys & DIFF_BY_CPU)
		row.cpu = sample->cpu;
	if (stack != PROFILE_NONE)
		row.function = state->keys[frame_table_of_stack(state->run.frames, profile, stack)];
	number = intern_table_add(&diff->rows, hash_combine((uint64_t)row.comm << 32 | row.cpu, row.function),
				  &row);
	if (diff->rows.count > before) {
		diff->last_sample = array_grow(diff->last_sample, &diff->last_capacity, diff->rows.count,
					       sizeof(*diff->last_sample));
		diff->last_sample[number] = DIFF_NONE;
	}
	return number;
}

static struct diff_sums *grow_sums(struct diff_sums *sums, size_t *capacity, size_t wanted)
{
	size_t before = *capacity;

	sums = array_grow(sums, capacity, wanted, sizeof(*sums));
	if (*capacity > before)
		memset(sums + before, 0, (*capacity - before) * sizeof(*sums));
	return sums;
}

static void add_slices(double sums[COMPARE_SLICES], const struct sample_slices *slices, uint32_t sample)
{
	if (!slices->items)
		return;
	for (size_t i = slices->first[sample]; i < slices->first[sample + 1]; i++)
		sums[slices->items[i].slice] += slices->items[i].weight;
}

static void add_row_slices(struct slice_table *table, uint32_t row, const struct sample_slices *slices,
			   uint32_t sample)
{
	size_t before = table->capacity;

	if (!slices->items)
		return;
	table->rows = array_grow(table->rows, &table->capacity, (size_t)row + 1, sizeof(*table->rows));
	if (table->capacity > before)
		memset(table->rows + before, 0, (table->capacity - before) * sizeof(*table->rows));
	add_slices(table->rows[row], slices, sample);
}

static struct diff_row *row_at(struct profile_diff *diff, uint32_t number)
{
	return (struct diff_row *)diff->rows.items + number;
}

/* If a side has several runs, each has sums of its own, too. */
static void add_self(struct profile_diff *diff, struct run_state *state, uint32_t row, uint32_t number)
{
	const struct profile_sample *sample = profile_sample_at(state->run.profile, number);

	add_sums(&row_at(diff, row)->self[state->side], sample);
	add_row_slices(&diff->slices[state->side].self, row, &state->slices, number);
	if (diff->run_counts[state->side] < 2)
		return;
	state->self = grow_sums(state->self, &state->self_capacity, (size_t)row + 1);
	add_sums(&state->self[row], sample);
}

static void add_total(struct profile_diff *diff, struct run_state *state, uint32_t row, uint32_t number)
{
	const struct profile_sample *sample = profile_sample_at(state->run.profile, number);

	add_sums(&row_at(diff, row)->total[state->side], sample);
	add_row_slices(&diff->slices[state->side].total, row, &state->slices, number);
	if (diff->run_counts[state->side] < 2)
		return;
	state->total = grow_sums(state->total, &state->total_capacity, (size_t)row + 1);
	add_sums(&state->total[row], sample);
}

static void add_sample(struct profile_diff *diff, struct run_state *state, uint32_t number)
{
	const struct profile *profile = state->run.profile;
	const struct profile_sample *sample = profile_sample_at(profile, number);
	uint32_t stack = sample->stack, row;

	/* As in reports, a sample in an inlined function counts for the function that was compiled. */
	row = row_of(diff, state, sample, profile_compiled_stack(profile, stack));
	state->rows[number] = row;
	add_self(diff, state, row, number);
	row = row_of(diff, state, sample, stack);
	for (;;) {
		if (diff->last_sample[row] != number)
			add_total(diff, state, row, number);
		diff->last_sample[row] = number;
		if (stack == PROFILE_NONE)
			break;
		stack = profile_stack_at(profile, stack)->parent;
		if (stack == PROFILE_NONE)
			break;
		row = row_of(diff, state, sample, stack);
	}
}

static bool counts(const struct run_state *state, const struct profile_sample *sample)
{
	const struct diff_run *from = &state->run;

	return sample->event == from->event && filter_counts(from->filter, from->profile, sample);
}

static void find_slices(struct profile_diff *diff, struct run_state *state)
{
	uint32_t count = profile_sample_count(state->run.profile);
	bool *wanted = xmalloc(((size_t)count + 1) * sizeof(*wanted));

	for (uint32_t i = 0; i < count; i++)
		wanted[i] = counts(state, profile_sample_at(state->run.profile, i));
	if (state->run.timeline)
		sample_slices_init(&state->slices, state->run.timeline, wanted, count, COMPARE_SLICES);
	diff->has_slices = diff->has_slices && state->slices.items;
	free(wanted);
}

static void add_samples(struct profile_diff *diff, struct run_state *state)
{
	const struct diff_run *from = &state->run;
	struct side_slices *sums = &diff->slices[state->side];
	uint32_t count = profile_sample_count(from->profile);

	state->rows = xmalloc(((size_t)count + 1) * sizeof(*state->rows));
	for (size_t i = 0; i < diff->rows.count; i++)
		diff->last_sample[i] = DIFF_NONE;
	for (uint32_t i = 0; i < count; i++) {
		const struct profile_sample *sample = profile_sample_at(from->profile, i);

		state->rows[i] = DIFF_NONE;
		if (!counts(state, sample))
			continue;
		add_sums(&state->counted, sample);
		add_slices(sums->counted, &state->slices, i);
		if (!filter_passes(from->filter, from->profile, sample))
			continue;
		add_sums(&state->shown, sample);
		add_slices(sums->shown, &state->slices, i);
		add_sample(diff, state, i);
	}
}

static size_t all_runs(const struct profile_diff *diff)
{
	return diff->run_counts[COMPARE_BEFORE] + diff->run_counts[COMPARE_AFTER];
}

struct profile_diff *profile_diff_create(const struct diff_run *runs, const size_t run_counts[COMPARE_SIDES],
					 unsigned keys, const struct name_pairs *pairs)
{
	struct profile_diff *diff = xcalloc(1, sizeof(*diff));

	diff->keys = keys;
	diff->pairs = pairs;
	diff->has_slices = true;
	diff->run_counts[COMPARE_BEFORE] = run_counts[COMPARE_BEFORE];
	diff->run_counts[COMPARE_AFTER] = run_counts[COMPARE_AFTER];
	diff->runs = xcalloc(all_runs(diff) + 1, sizeof(*diff->runs));
	diff->texts = str_pool_create();
	intern_table_init(&diff->functions, sizeof(struct diff_function), function_equal);
	intern_table_init(&diff->rows, sizeof(struct diff_row), row_equal);
	for (size_t i = 0; i < all_runs(diff); i++) {
		diff->runs[i].run = runs[i];
		diff->runs[i].side = i < run_counts[COMPARE_BEFORE] ? COMPARE_BEFORE : COMPARE_AFTER;
		match_frames(diff, &diff->runs[i]);
		find_slices(diff, &diff->runs[i]);
		add_samples(diff, &diff->runs[i]);
		sample_slices_fini(&diff->runs[i].slices);
	}
	return diff;
}

void profile_diff_destroy(struct profile_diff *diff)
{
	if (!diff)
		return;
	for (size_t i = 0; i < all_runs(diff); i++) {
		free(diff->runs[i].functions);
		free(diff->runs[i].keys);
		free(diff->runs[i].rows);
		free(diff->runs[i].self);
		free(diff->runs[i].total);
	}
	free(diff->runs);
	str_pool_destroy(diff->texts);
	intern_table_fini(&diff->functions);
	intern_table_fini(&diff->rows);
	free(diff->last_sample);
	for (int side = 0; side < COMPARE_SIDES; side++) {
		free(diff->slices[side].self.rows);
		free(diff->slices[side].total.rows);
	}
	free(diff);
}

/* --- callers ------------------------------------------------------------------ */

static void add_callers(const struct run_state *state, const struct profile_sample *sample, bool samples,
			struct call_tree *tree)
{
	const struct profile *profile = state->run.profile;
	uint32_t stack = profile_compiled_stack(profile, sample->stack), node = CALL_TREE_NONE;
	uint64_t weight = samples ? sample->count : sample->weight;

	if (stack != PROFILE_NONE)
		stack = profile_stack_at(profile, stack)->parent;
	for (; stack != PROFILE_NONE; stack = profile_stack_at(profile, stack)->parent)
		node = call_tree_child(
			tree, node,
			state->functions[frame_table_of_stack(state->run.frames, profile, stack)]);
	call_tree_add(tree, node, state->side == COMPARE_BEFORE ? weight : 0,
		      state->side == COMPARE_AFTER ? weight : 0);
}

struct call_tree *profile_diff_callers(struct profile_diff *diff, uint32_t row, bool samples)
{
	struct call_tree *tree = call_tree_create();

	for (size_t run = 0; run < all_runs(diff); run++) {
		const struct run_state *state = &diff->runs[run];
		uint32_t count = profile_sample_count(state->run.profile);

		for (uint32_t i = 0; i < count; i++)
			if (state->rows[i] == row)
				add_callers(state, profile_sample_at(state->run.profile, i), samples, tree);
	}
	call_tree_sum_up(tree);
	return tree;
}

/* --- reading ------------------------------------------------------------------ */

uint32_t profile_diff_row_count(const struct profile_diff *diff)
{
	return (uint32_t)diff->rows.count;
}

const struct diff_row *profile_diff_row(const struct profile_diff *diff, uint32_t number)
{
	return (const struct diff_row *)diff->rows.items + number;
}

const struct diff_function *profile_diff_function(const struct profile_diff *diff, uint32_t number)
{
	return (const struct diff_function *)diff->functions.items + number;
}

const char *profile_diff_text(const struct profile_diff *diff, uint32_t text)
{
	return str_pool_text(diff->texts, text);
}

bool profile_diff_has_slices(const struct profile_diff *diff)
{
	return diff->has_slices;
}

void profile_diff_slices(const struct profile_diff *diff, uint32_t row, bool total, bool shown,
			 struct compare_slices *slices)
{
	static const double none[COMPARE_SLICES];

	for (int side = 0; side < COMPARE_SIDES; side++) {
		const struct side_slices *of_side = &diff->slices[side];
		const struct slice_table *table = total ? &of_side->total : &of_side->self;

		slices->part[side] = row < table->capacity ? table->rows[row] : none;
		slices->whole[side] = shown ? of_side->shown : of_side->counted;
	}
}

static const struct run_state *run_at(const struct profile_diff *diff, int side, size_t run)
{
	return &diff->runs[side == COMPARE_BEFORE ? run : diff->run_counts[COMPARE_BEFORE] + run];
}

struct diff_sums profile_diff_counted(const struct profile_diff *diff, int side)
{
	struct diff_sums sums = { 0 };

	for (size_t i = 0; i < diff->run_counts[side]; i++)
		add_to(&sums, run_at(diff, side, i)->counted.count, run_at(diff, side, i)->counted.weight);
	return sums;
}

struct diff_sums profile_diff_shown(const struct profile_diff *diff, int side)
{
	struct diff_sums sums = { 0 };

	for (size_t i = 0; i < diff->run_counts[side]; i++)
		add_to(&sums, run_at(diff, side, i)->shown.count, run_at(diff, side, i)->shown.weight);
	return sums;
}

size_t profile_diff_run_count(const struct profile_diff *diff, int side)
{
	return diff->run_counts[side];
}

struct diff_sums profile_diff_run_counted(const struct profile_diff *diff, int side, size_t run)
{
	return run_at(diff, side, run)->counted;
}

struct diff_sums profile_diff_run_shown(const struct profile_diff *diff, int side, size_t run)
{
	return run_at(diff, side, run)->shown;
}

struct diff_sums profile_diff_run_sums(const struct profile_diff *diff, int side, size_t run, uint32_t row,
				       bool total)
{
	const struct run_state *state = run_at(diff, side, run);
	const struct diff_row *of_side = profile_diff_row(diff, row);

	if (diff->run_counts[side] < 2)
		return total ? of_side->total[side] : of_side->self[side];
	if (row >= (total ? state->total_capacity : state->self_capacity))
		return (struct diff_sums){ 0 };
	return total ? state->total[row] : state->self[row];
}
