/*
 * The table is an intern_table. spill() sorts it and appends it to the file, as a run; what is in the table at the end is sorted in
 * memory, and is the last run. So a recording with few stacks needs no file.
 */
#include "profile/sample_sums.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/radix_sort.h"
#include "base/saturating.h"
#include "base/spool_array.h"
#include "base/xalloc.h"
#include "profile/intern_table.h"

enum { MOST_SUMS = 384 * 1024 }; /* in the table: 9 MiB, and 4 for its index */

struct sample_sums {
	struct intern_table table; /* struct sample_sum */
	struct spool_array file;   /* the runs before the last, if has_file */
	size_t *ends;              /* of each run in the file */
	size_t end_count, end_capacity;
	bool has_file, failed;
	struct error error; /* why the file could not be made */
	/* For sort(), with room for MOST_SUMS; NULL until the first run is sorted. Clearing new pages for each run takes longer. */
	struct radix_item *order;
	struct sample_sum *copy;
};

static bool sum_equal(const void *items, uint32_t item, const void *key)
{
	const struct sample_sum *a = (const struct sample_sum *)items + item, *b = key;

	return a->stack == b->stack && a->sample == b->sample;
}

struct sample_sums *sample_sums_create(void)
{
	struct sample_sums *sums = xcalloc(1, sizeof(*sums));

	intern_table_init(&sums->table, sizeof(struct sample_sum), sum_equal);
	return sums;
}

void sample_sums_clear(struct sample_sums *sums)
{
	intern_table_fini(&sums->table);
	if (sums->has_file)
		spool_array_fini(&sums->file);
	free(sums->ends);
	free(sums->order);
	free(sums->copy);
	*sums = (struct sample_sums){ .table = sums->table };
}

void sample_sums_destroy(struct sample_sums *sums)
{
	if (!sums)
		return;
	sample_sums_clear(sums);
	free(sums);
}

/* --- runs --------------------------------------------------------------------- */

static uint64_t key_of(const struct sample_sum *sum)
{
	return (uint64_t)sum->stack << 32 | sum->sample;
}

static bool is_sorted(const struct sample_sum *sums, size_t count)
{
	for (size_t i = 1; i < count; i++)
		if (key_of(&sums[i - 1]) > key_of(&sums[i]))
			return false;
	return true;
}

static void sort(struct sample_sums *sums, struct sample_sum *run, size_t count)
{
	if (!sums->order) {
		sums->order = xmalloc(MOST_SUMS * sizeof(*sums->order));
		sums->copy = xmalloc(MOST_SUMS * sizeof(*sums->copy));
	}
	for (uint32_t i = 0; i < count; i++) {
		sums->copy[i] = run[i];
		sums->order[i] = (struct radix_item){ key_of(&run[i]), i };
	}
	radix_sort(sums->order, count);
	for (size_t i = 0; i < count; i++)
		run[i] = sums->copy[sums->order[i].number];
}

static bool make_file(struct sample_sums *sums)
{
	if (!sums->has_file && !sums->failed)
		sums->has_file = spool_array_init(&sums->file, "the sums of samples",
						  sizeof(struct sample_sum), &sums->error) == 0;
	sums->failed = !sums->has_file;
	return sums->has_file;
}

/* Moves the table to the file. */
static void spill(struct sample_sums *sums)
{
	struct sample_sum *items = sums->table.items;
	const size_t count = sums->table.count;

	if (make_file(sums)) {
		const size_t before = sums->end_count ? sums->ends[sums->end_count - 1] : 0;

		sort(sums, items, count);
		for (size_t i = 0; i < count; i++)
			spool_array_add(&sums->file, &items[i]);
		*ARRAY_ADD(sums->ends, sums->end_count, sums->end_capacity) = before + count;
	}
	intern_table_clear(&sums->table);
}

static uint64_t hash_of(uint32_t sample, uint32_t stack)
{
	return hash_u64((uint64_t)stack << 32 | sample);
}

void sample_sums_prefetch(const struct sample_sums *sums, uint32_t sample, uint32_t stack)
{
	intern_table_prefetch(&sums->table, hash_of(sample, stack));
}

void sample_sums_prefetch_sum(const struct sample_sums *sums, uint32_t sample, uint32_t stack)
{
	intern_table_prefetch_item(&sums->table, hash_of(sample, stack));
}

void sample_sums_add(struct sample_sums *sums, uint32_t sample, uint32_t stack, uint64_t weight)
{
	const struct sample_sum fresh = { .stack = stack, .sample = sample };
	struct sample_sum *sum;
	uint32_t number;

	if (sums->table.count == MOST_SUMS)
		spill(sums);
	number = intern_table_add(&sums->table, hash_of(sample, stack), &fresh);
	sum = (struct sample_sum *)sums->table.items + number;
	sum->count++;
	saturating_add(&sum->weight, weight);
}

/* --- after the last addition ------------------------------------------------------ */

/* The run's first sum. The file must be mapped. */
static struct sample_sum *file_run(const struct sample_sums *sums, size_t number, size_t *count)
{
	const size_t first = number ? sums->ends[number - 1] : 0;

	*count = sums->ends[number] - first;
	return (struct sample_sum *)sums->file.items + first;
}

static void renumber(struct sample_sum *run, size_t count, const uint32_t *samples, const uint32_t *stacks)
{
	for (size_t i = 0; i < count; i++) {
		if (samples)
			run[i].sample = samples[run[i].sample];
		if (stacks && run[i].stack != UINT32_MAX)
			run[i].stack = stacks[run[i].stack];
	}
}

void sample_sums_renumber(struct sample_sums *sums, const uint32_t *samples, const uint32_t *stacks)
{
	size_t count;

	if (sums->has_file)
		spool_array_map(&sums->file);
	for (size_t i = 0; sums->has_file && sums->file.items && i < sums->end_count; i++) {
		struct sample_sum *run = file_run(sums, i, &count);

		renumber(run, count, samples, stacks);
		if (!is_sorted(run, count))
			sort(sums, run, count);
		sample_sums_release(sums);
	}
	renumber(sums->table.items, sums->table.count, samples, stacks);
}

int sample_sums_finish(struct sample_sums *sums, struct error *err)
{
	intern_table_drop_index(&sums->table);
	if (sums->failed)
		return error_set(err, "%s", sums->error.message);
	if (sums->table.count)
		sort(sums, sums->table.items, sums->table.count);
	free(sums->order);
	free(sums->copy);
	sums->order = NULL;
	sums->copy = NULL;
	return sums->has_file ? spool_array_finish(&sums->file, err) : 0;
}

size_t sample_sums_run_count(const struct sample_sums *sums)
{
	return sums->end_count + (sums->table.count != 0);
}

struct sample_sums_run sample_sums_run(const struct sample_sums *sums, size_t number)
{
	const struct sample_sum *first = sums->table.items;
	size_t count = sums->table.count;

	if (number < sums->end_count)
		first = file_run(sums, number, &count);
	return (struct sample_sums_run){ first, first + count };
}

void sample_sums_release(const struct sample_sums *sums)
{
	if (sums->has_file)
		spool_array_release(&sums->file);
}
