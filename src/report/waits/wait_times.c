/*
 * Keeps a cell for each pair of sample and class that occurs. A hash table finds cells while they are added;
 * afterwards they are sorted.
 */
#include "report/waits/wait_times.h"

#include <stdlib.h>

#include "base/hash_table.h"
#include "base/partition_point.h"
#include "base/xalloc.h"
#include "profile/intern_table.h"

struct wait_cell {
	uint32_t sample, wait_class; /* the key */
	struct wait_sum sum;
};

struct wait_times {
	struct intern_table cells; /* struct wait_cell */
};

static bool cell_equal(const void *items, uint32_t item, const void *key)
{
	const struct wait_cell *a = (const struct wait_cell *)items + item, *b = key;

	return a->sample == b->sample && a->wait_class == b->wait_class;
}

struct wait_times *wait_times_create(void)
{
	struct wait_times *times = xcalloc(1, sizeof(*times));

	intern_table_init(&times->cells, sizeof(struct wait_cell), cell_equal);
	return times;
}

void wait_times_destroy(struct wait_times *times)
{
	if (!times)
		return;
	intern_table_fini(&times->cells);
	free(times);
}

void wait_times_clear(struct wait_times *times)
{
	intern_table_fini(&times->cells);
	intern_table_init(&times->cells, sizeof(struct wait_cell), cell_equal);
}

void wait_times_add(struct wait_times *times, uint32_t sample, uint64_t duration_ns, uint64_t weight_ns)
{
	const struct wait_cell key = { .sample = sample, .wait_class = wait_class_of(duration_ns) };
	const uint32_t number =
		intern_table_add(&times->cells, hash_combine(key.sample, key.wait_class), &key);
	struct wait_sum *sum = &((struct wait_cell *)times->cells.items)[number].sum;

	sum->samples++;
	sum->time_ns += weight_ns;
	/* A wait of no duration counts as one. */
	sum->waits += duration_ns ? (double)weight_ns / (double)duration_ns : 1;
}

void wait_times_renumber(struct wait_times *times, const uint32_t *numbers)
{
	struct wait_cell *cells = times->cells.items;

	for (size_t i = 0; i < times->cells.count; i++)
		cells[i].sample = numbers[cells[i].sample];
}

static int by_sample(const void *one, const void *other)
{
	const struct wait_cell *a = one, *b = other;

	if (a->sample != b->sample)
		return a->sample < b->sample ? -1 : 1;
	return a->wait_class < b->wait_class ? -1 : a->wait_class > b->wait_class;
}

void wait_times_finish(struct wait_times *times)
{
	intern_table_drop_index(&times->cells);
	if (times->cells.count)
		qsort(times->cells.items, times->cells.count, sizeof(struct wait_cell), by_sample);
}

/* The first cell of the sample; if it has none, of a later one. */
static size_t first_cell(const struct wait_times *times, uint32_t sample)
{
	const struct wait_cell *cells = times->cells.items;
	return PARTITION_POINT(i, 0, times->cells.count, cells[i].sample < sample);
}

void wait_times_sum(const struct wait_times *times, uint32_t sample, struct wait_sum classes[WAIT_CLASSES])
{
	const struct wait_cell *cells = times->cells.items;

	for (size_t i = first_cell(times, sample); i < times->cells.count && cells[i].sample == sample; i++) {
		struct wait_sum *sum = &classes[cells[i].wait_class];

		sum->samples += cells[i].sum.samples;
		sum->time_ns += cells[i].sum.time_ns;
		sum->waits += cells[i].sum.waits;
	}
}
