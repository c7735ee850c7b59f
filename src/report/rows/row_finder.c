/*
 * row_finder_look_up() is the slow path: it makes the keys of a row and looks them up in a hash table, or
 * appends the row without a look-up if no two places can share one. row_finder_row() in the header calls it
 * once for each place of a group.
 */
#include "report/rows/row_finder.h"

#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"

static bool row_equal(const void *items, uint32_t item, const void *key)
{
	const struct hist_row *a = (const struct hist_row *)items + item, *b = key;

	return !memcmp(a->keys, b->keys, sizeof(a->keys));
}

/* --- places ------------------------------------------------------------------------------------------ */

uint32_t row_finder_place(const struct row_finder *finder, const struct profile_stack *node)
{
	if (finder->has_sources)
		return 1 + 2 * node->location + (node->origin == FRAME_GUESSED);
	return 1 + frame_table_of_node(finder->hist->frames, node);
}

static size_t count_places(const struct row_finder *finder)
{
	return 1 + (finder->has_sources ? 2 * (size_t)profile_location_count(finder->hist->profile) :
					  finder->hist->frames->count);
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

static uint32_t parent_key(const struct row_finder *finder, const struct profile_sample *sample)
{
	const uint32_t *parents = finder->hist->options.parents;

	return parents && sample->stack != PROFILE_NONE ? parents[sample->stack] : PROFILE_NONE;
}

static uint32_t sample_key(const struct row_finder *finder, enum column column,
			   const struct profile_sample *sample)
{
	const struct profile *profile = finder->hist->profile;
	const struct profile_thread *thread = profile_thread_at(profile, sample->thread);

	switch (column) {
	case COLUMN_CPU: return sample->cpu;
	case COLUMN_CGROUP: return sample->cgroup;
	case COLUMN_KEY_SET:
		return finder->hist->options.keys ?
			       sample_keys_group(finder->hist->options.keys, sample->keys) :
			       0;
	case COLUMN_PARENT: return parent_key(finder, sample);
	case COLUMN_COMM: return thread->comm;
	case COLUMN_TGID: return thread->pid;
	default: return thread->tid;
	}
}

/* Place 0 is that of no node: its frame is PROFILE_NONE, as is its location. */
static uint32_t frame_of_place(const struct row_finder *finder, uint32_t place)
{
	const struct frame_table *frames = finder->hist->frames;

	if (!place || !finder->has_sources)
		return place - 1;
	return (place - 1) % 2 ? frames->guessed_by_location[(place - 1) / 2] :
				 frames->by_location[(place - 1) / 2];
}

static uint32_t dso_key(const struct row_finder *finder, uint32_t place)
{
	const uint32_t frame = frame_of_place(finder, place);

	return frame == PROFILE_NONE ? PROFILE_NONE : finder->dso_names[frame];
}

static uint32_t source_key(const uint32_t *texts, uint32_t place)
{
	return place ? texts[(place - 1) / 2] : PROFILE_NONE;
}

/* The key of the node at `place`. `source` is the place of its instruction: the same, or that of code inlined there. */
static uint32_t stack_key(const struct row_finder *finder, enum column column, uint32_t place,
			  uint32_t source)
{
	switch (column) {
	case COLUMN_SRCLINE: return source_key(finder->hist->options.sources->lines, source);
	case COLUMN_SRCFILE: return source_key(finder->hist->options.sources->files, source);
	case COLUMN_SYMBOL: return frame_of_place(finder, place);
	default: return dso_key(finder, place);
	}
}

static uint64_t hash_keys(const struct row_finder *finder, const struct hist_row *row)
{
	uint64_t hash = 0;
	size_t i;

	for (i = 0; i < finder->hist->options.layout->keys.count; i++)
		hash = hash_combine(hash, row->keys[i]);
	return hash;
}

/* --- groups ------------------------------------------------------------------------------------------ */

static uint32_t find_group(struct row_finder *finder, const struct profile_sample *sample)
{
	const struct column_list *keys = &finder->hist->options.layout->keys;
	struct hist_row row = { .first_hit = HIST_NO_HIT };
	size_t i;

	for (i = 0; i < keys->count; i++)
		if (!is_stack_column(keys->items[i]))
			row.keys[i] = sample_key(finder, keys->items[i], sample);
	return intern_table_add(&finder->groups, hash_keys(finder, &row), &row);
}

uint32_t row_finder_group(struct row_finder *finder, const struct profile_sample *sample)
{
	uint32_t *known = &finder->group_of_thread[sample->thread];

	if (finder->samples_differ)
		return find_group(finder, sample);
	if (!*known)
		*known = 1 + find_group(finder, sample);
	return *known - 1;
}

/* --- rows -------------------------------------------------------------------------------------------- */

static uint32_t append_row(struct row_finder *finder, const struct hist_row *row)
{
	finder->rows =
		array_grow(finder->rows, &finder->row_capacity, finder->row_count + 1, sizeof(*finder->rows));
	finder->rows[finder->row_count] = *row;
	return (uint32_t)finder->row_count++;
}

static uint32_t intern_row(struct row_finder *finder, const struct hist_row *row)
{
	const uint64_t hash = hash_keys(finder, row);
	uint32_t number = hash_table_find(&finder->row_index, hash, row_equal, finder->rows, row);

	if (number == HASH_TABLE_NONE) {
		number = append_row(finder, row);
		hash_table_insert(&finder->row_index, hash, number);
	}
	return number;
}

uint32_t row_finder_look_up(struct row_finder *finder, uint32_t group, uint32_t place, uint32_t source)
{
	const struct column_list *keys = &finder->hist->options.layout->keys;
	struct hist_row row = ((const struct hist_row *)finder->groups.items)[group];
	size_t i;

	if (!finder->has_sources && place != source)
		return row_finder_row(finder, group, place);
	for (i = 0; i < keys->count; i++)
		if (is_stack_column(keys->items[i]))
			row.keys[i] = stack_key(finder, keys->items[i], place, source);
	return finder->places_differ ? append_row(finder, &row) : intern_row(finder, &row);
}

/* --- beginning and end ------------------------------------------------------------------------------- */

static void note_columns(struct row_finder *finder, const struct column_list *keys, bool again)
{
	bool has_symbols = false;

	for (size_t i = 0; i < keys->count; i++) {
		has_symbols |= keys->items[i] == COLUMN_SYMBOL;
		finder->has_sources |= is_source_column(keys->items[i]);
		finder->samples_differ |= keys->items[i] == COLUMN_CPU || keys->items[i] == COLUMN_CGROUP ||
					  keys->items[i] == COLUMN_PARENT || keys->items[i] == COLUMN_KEY_SET;
	}
	finder->places_differ = has_symbols && !finder->has_sources && !again;
}

static uint32_t *copy_dso_names(const struct frame_table *frames)
{
	uint32_t *names = xmalloc(((size_t)frames->count + 1) * sizeof(*names));

	for (uint32_t i = 0; i < frames->count; i++)
		names[i] = frames->frames[i].dso_name;
	return names;
}

void row_finder_init(struct row_finder *finder, const struct hist *hist, bool again)
{
	const size_t threads = profile_thread_count(hist->profile);

	*finder = (struct row_finder){ .hist = hist };
	note_columns(finder, &hist->options.layout->keys, again);
	intern_table_init(&finder->groups, sizeof(struct hist_row), row_equal);
	finder->group_of_thread = xcalloc(threads + 1, sizeof(*finder->group_of_thread));
	finder->row_of_place = xcalloc(count_places(finder), sizeof(*finder->row_of_place));
	finder->dso_names = copy_dso_names(hist->frames);
}

void row_finder_fini(struct row_finder *finder)
{
	hash_table_fini(&finder->row_index);
	intern_table_fini(&finder->groups);
	free(finder->group_of_thread);
	free(finder->row_of_place);
	free(finder->dso_names);
}
