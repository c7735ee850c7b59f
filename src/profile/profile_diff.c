#include "profile/profile_diff.h"

#include <stdlib.h>
#include <string.h>

#include "base/str_pool.h"
#include "base/xalloc.h"
#include "profile/intern_table.h"
#include "profile/match_name.h"

enum { DSO_NAME_SIZE = 256 };

/* What is worked out once per frame of a side. */
struct side_frames {
	uint32_t *functions; /* by frame: the function, whatever the keys are */
	uint32_t *keys;      /* by frame: what the keys leave of it */
	uint32_t *rows;      /* by sample: the row of its leaf; DIFF_NONE: not shown */
};

struct profile_diff {
	struct diff_side sides[COMPARE_SIDES];
	struct side_frames frames[COMPARE_SIDES];
	struct diff_sums counted[COMPARE_SIDES], shown[COMPARE_SIDES];
	const struct diff_rename *renames;
	size_t rename_count;
	unsigned keys;
	struct str_pool *texts;
	struct intern_table functions; /* struct diff_function */
	struct intern_table rows;      /* struct diff_row */
	uint32_t *last_sample;         /* by row: the sample that it got last, so that it gets each once */
	size_t last_capacity;
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

static void add_sums(struct diff_sums *sums, const struct profile_sample *sample)
{
	if (__builtin_add_overflow(sums->count, sample->count, &sums->count))
		sums->count = UINT64_MAX;
	if (__builtin_add_overflow(sums->weight, sample->weight, &sums->weight))
		sums->weight = UINT64_MAX;
}

/* --- names in common ---------------------------------------------------------- */

/* The later profile's name of a DSO is translated into the earlier one's. */
static uint32_t dso_text(struct profile_diff *diff, int side, uint32_t name)
{
	char buffer[DSO_NAME_SIZE];
	const char *text;

	if (name == PROFILE_NONE)
		return DIFF_NONE;
	text = match_dso_name(profile_text(diff->sides[side].profile, name), buffer, sizeof(buffer));
	for (size_t i = 0; side == COMPARE_AFTER && i < diff->rename_count; i++)
		if (!strcmp(diff->renames[i].after, text))
			text = diff->renames[i].before;
	return str_pool_add(diff->texts, text);
}

static uint32_t add_function(struct profile_diff *diff, const struct diff_function *function)
{
	return intern_table_add(&diff->functions, hash_combine(function->dso, function->symbol), function);
}

static void match_frames(struct profile_diff *diff, int side)
{
	const struct frame_table *table = diff->sides[side].frames;
	const struct profile *profile = diff->sides[side].profile;
	struct side_frames *matched = &diff->frames[side];

	matched->functions = xmalloc(((size_t)table->count + 1) * sizeof(*matched->functions));
	matched->keys = xmalloc(((size_t)table->count + 1) * sizeof(*matched->keys));
	for (uint32_t i = 0; i < table->count; i++) {
		const struct frame *frame = &table->frames[i];
		struct diff_function function = { dso_text(diff, side, frame->dso_name), DIFF_NONE,
						  frame->mode };

		if (frame->name != PROFILE_NONE) {
			const char *name = profile_text(profile, frame->name);

			function.symbol = str_pool_add_n(diff->texts, name, match_function_length(name));
		}
		matched->functions[i] = add_function(diff, &function);
		if (!(diff->keys & DIFF_BY_SYMBOL))
			function.symbol = DIFF_NONE;
		matched->keys[i] = diff->keys & (DIFF_BY_SYMBOL | DIFF_BY_DSO) ?
					   add_function(diff, &function) :
					   DIFF_NONE;
	}
}

/* --- rows --------------------------------------------------------------------- */

static uint32_t row_of(struct profile_diff *diff, int side, const struct profile_sample *sample,
		       uint32_t stack)
{
	const struct profile *profile = diff->sides[side].profile;
	struct diff_row row = { .comm = DIFF_NONE, .cpu = DIFF_NONE, .function = DIFF_NONE };
	size_t before = diff->rows.count;
	uint32_t number;

	if (diff->keys & DIFF_BY_COMM)
		row.comm = str_pool_add(
			diff->texts, profile_text(profile, profile_thread_at(profile, sample->thread)->comm));
	if (diff->keys & DIFF_BY_CPU)
		row.cpu = sample->cpu;
	if (stack != PROFILE_NONE)
		row.function = diff->frames[side]
				       .keys[frame_table_of_stack(diff->sides[side].frames, profile, stack)];
	number = intern_table_add(&diff->rows, hash_combine((uint64_t)row.comm << 32 | row.cpu, row.function),
				  &row);
	if (diff->rows.count > before) {
		diff->last_sample = array_grow(diff->last_sample, &diff->last_capacity, diff->rows.count,
					       sizeof(*diff->last_sample));
		diff->last_sample[number] = DIFF_NONE;
	}
	return number;
}

static struct diff_row *row_at(struct profile_diff *diff, uint32_t number)
{
	return (struct diff_row *)diff->rows.items + number;
}

static void add_sample(struct profile_diff *diff, int side, uint32_t number)
{
	const struct profile *profile = diff->sides[side].profile;
	const struct profile_sample *sample = profile_sample_at(profile, number);
	uint32_t stack = sample->stack, row = row_of(diff, side, sample, stack);

	diff->frames[side].rows[number] = row;
	add_sums(&row_at(diff, row)->self[side], sample);
	for (;;) {
		if (diff->last_sample[row] != number)
			add_sums(&row_at(diff, row)->total[side], sample);
		diff->last_sample[row] = number;
		if (stack == PROFILE_NONE)
			break;
		stack = profile_stack_at(profile, stack)->parent;
		if (stack == PROFILE_NONE)
			break;
		row = row_of(diff, side, sample, stack);
	}
}

static void add_samples(struct profile_diff *diff, int side)
{
	const struct diff_side *from = &diff->sides[side];
	uint32_t count = profile_sample_count(from->profile);

	diff->frames[side].rows = xmalloc(((size_t)count + 1) * sizeof(uint32_t));
	for (size_t i = 0; i < diff->rows.count; i++)
		diff->last_sample[i] = DIFF_NONE;
	for (uint32_t i = 0; i < count; i++) {
		const struct profile_sample *sample = profile_sample_at(from->profile, i);

		diff->frames[side].rows[i] = DIFF_NONE;
		if (sample->event != from->event || !filter_counts(from->filter, from->profile, sample))
			continue;
		add_sums(&diff->counted[side], sample);
		if (!filter_passes(from->filter, from->profile, sample))
			continue;
		add_sums(&diff->shown[side], sample);
		add_sample(diff, side, i);
	}
}

struct profile_diff *profile_diff_create(const struct diff_side sides[COMPARE_SIDES], unsigned keys,
					 const struct diff_rename *renames, size_t rename_count)
{
	struct profile_diff *diff = xcalloc(1, sizeof(*diff));

	diff->keys = keys;
	diff->renames = renames;
	diff->rename_count = rename_count;
	diff->texts = str_pool_create();
	intern_table_init(&diff->functions, sizeof(struct diff_function), function_equal);
	intern_table_init(&diff->rows, sizeof(struct diff_row), row_equal);
	for (int side = 0; side < COMPARE_SIDES; side++) {
		diff->sides[side] = sides[side];
		match_frames(diff, side);
		add_samples(diff, side);
	}
	return diff;
}

void profile_diff_destroy(struct profile_diff *diff)
{
	if (!diff)
		return;
	for (int side = 0; side < COMPARE_SIDES; side++) {
		free(diff->frames[side].functions);
		free(diff->frames[side].keys);
		free(diff->frames[side].rows);
	}
	str_pool_destroy(diff->texts);
	intern_table_fini(&diff->functions);
	intern_table_fini(&diff->rows);
	free(diff->last_sample);
	free(diff);
}

/* --- callers ------------------------------------------------------------------ */

static void add_callers(const struct profile_diff *diff, int side, const struct profile_sample *sample,
			bool samples, struct call_tree *tree)
{
	const struct profile *profile = diff->sides[side].profile;
	uint32_t node = sample->stack, *keys = NULL;
	uint64_t weight = samples ? sample->count : sample->weight;
	size_t length = 0, capacity = 0;

	if (node != PROFILE_NONE)
		node = profile_stack_at(profile, node)->parent;
	for (; node != PROFILE_NONE; node = profile_stack_at(profile, node)->parent) {
		keys = array_grow(keys, &capacity, length + 1, sizeof(*keys));
		keys[length++] =
			diff->frames[side]
				.functions[frame_table_of_stack(diff->sides[side].frames, profile, node)];
	}
	call_tree_add(tree, keys, length, side == COMPARE_BEFORE ? weight : 0,
		      side == COMPARE_AFTER ? weight : 0);
	free(keys);
}

struct call_tree *profile_diff_callers(struct profile_diff *diff, uint32_t row, bool samples)
{
	struct call_tree *tree = call_tree_create();

	for (int side = 0; side < COMPARE_SIDES; side++) {
		uint32_t count = profile_sample_count(diff->sides[side].profile);

		for (uint32_t i = 0; i < count; i++)
			if (diff->frames[side].rows[i] == row)
				add_callers(diff, side, profile_sample_at(diff->sides[side].profile, i),
					    samples, tree);
	}
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

struct diff_sums profile_diff_counted(const struct profile_diff *diff, int side)
{
	return diff->counted[side];
}

struct diff_sums profile_diff_shown(const struct profile_diff *diff, int side)
{
	return diff->shown[side];
}
