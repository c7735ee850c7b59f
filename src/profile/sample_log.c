/*
 * The log is an array in a file (base/spool_array). Samples are out of order only within a round of the recorder, so
 * sample_log_sort() looks for places that no sample has to pass, and sorts between these.
 */
#include "profile/sample_log.h"

#include <stdlib.h>
#include <string.h>

#include "base/radix_sort.h"
#include "base/spool_array.h"
#include "base/xalloc.h"

/* Samples whose earliest time is noted together. */
enum { SORT_BLOCK = 1 << 14, RELEASE_BLOCKS = SAMPLE_LOG_STRIDE / SORT_BLOCK };

struct sample_log {
	struct spool_array array;
	uint64_t last_ns; /* of the sample that was added last */
	bool is_out_of_order;
};

struct sample_log *sample_log_create(struct error *err)
{
	struct sample_log *log = xcalloc(1, sizeof(*log));

	if (spool_array_init(&log->array, "the times of samples", sizeof(struct logged_sample), err) == 0)
		return log;
	free(log);
	return NULL;
}

void sample_log_destroy(struct sample_log *log)
{
	if (!log)
		return;
	spool_array_fini(&log->array);
	free(log);
}

void sample_log_clear(struct sample_log *log)
{
	spool_array_clear(&log->array);
	log->last_ns = 0;
	log->is_out_of_order = false;
}

void sample_log_add(struct sample_log *log, uint64_t time_ns, uint32_t sample, uint32_t stack,
		    uint64_t weight)
{
	log->is_out_of_order |= time_ns < log->last_ns;
	log->last_ns = time_ns;
	spool_array_add(&log->array,
			&(struct logged_sample){
				.time_ns = time_ns, .weight = weight, .sample = sample, .stack = stack });
}

void sample_log_renumber(struct sample_log *log, const uint32_t *samples, const uint32_t *stacks)
{
	struct logged_sample *items;

	spool_array_map(&log->array);
	items = log->array.items;
	for (size_t i = 0; items && i < log->array.count; i++) {
		if (samples)
			items[i].sample = samples[items[i].sample];
		if (stacks && items[i].stack != UINT32_MAX)
			items[i].stack = stacks[items[i].stack];
		if (i % SAMPLE_LOG_STRIDE == 0)
			sample_log_release(log);
	}
}

void sample_log_release(const struct sample_log *log)
{
	spool_array_release(&log->array);
}

int sample_log_finish(struct sample_log *log, struct error *err)
{
	return spool_array_finish(&log->array, err);
}

/* --- order of time ---------------------------------------------------------------- */

/* Working memory of sort(). */
struct sorter {
	struct radix_item *order;
	struct logged_sample *copy;
	size_t order_capacity, copy_capacity;
};

static bool is_sorted(const struct logged_sample *samples, size_t count)
{
	for (size_t i = 1; i < count; i++)
		if (samples[i - 1].time_ns > samples[i].time_ns)
			return false;
	return true;
}

static void sort(struct sorter *sorter, struct logged_sample *samples, size_t count)
{
	if (is_sorted(samples, count))
		return;
	sorter->order = array_grow(sorter->order, &sorter->order_capacity, count, sizeof(*sorter->order));
	sorter->copy = array_grow(sorter->copy, &sorter->copy_capacity, count, sizeof(*sorter->copy));
	memcpy(sorter->copy, samples, count * sizeof(*samples));
	for (uint32_t i = 0; i < count; i++)
		sorter->order[i] = (struct radix_item){ samples[i].time_ns, i };
	radix_sort(sorter->order, count);
	for (size_t i = 0; i < count; i++)
		samples[i] = sorter->copy[sorter->order[i].number];
}

/* The earliest time in each block and all after it, and UINT64_MAX behind the last one. */
static uint64_t *find_earliest(const struct sample_log *log, size_t blocks)
{
	const struct logged_sample *samples = log->array.items;
	uint64_t *earliest_ns = xmalloc((blocks + 1) * sizeof(*earliest_ns)), least_ns = UINT64_MAX;

	earliest_ns[blocks] = UINT64_MAX;
	for (size_t block = blocks; block-- > 0;) {
		const size_t first = block * SORT_BLOCK;

		for (size_t i = first; i < first + SORT_BLOCK && i < log->array.count; i++)
			if (samples[i].time_ns < least_ns)
				least_ns = samples[i].time_ns;
		earliest_ns[block] = least_ns;
		if (block % RELEASE_BLOCKS == 0)
			sample_log_release(log);
	}
	return earliest_ns;
}

/* `first_ns`: the earliest time behind the samples. Fills in, for each of them, the earliest time from it on. */
static void look_ahead(const struct logged_sample *samples, size_t count, uint64_t first_ns,
		       uint64_t *ahead_ns)
{
	for (size_t i = count; i-- > 0;) {
		if (samples[i].time_ns < first_ns)
			first_ns = samples[i].time_ns;
		ahead_ns[i] = first_ns;
	}
}

/* Sorts between two places that no sample has to pass: none before is later than any behind. */
static void sort_pieces(struct sample_log *log, struct sorter *sorter, const uint64_t *earliest_ns)
{
	uint64_t *ahead_ns = xmalloc(SORT_BLOCK * sizeof(*ahead_ns)), latest_ns = 0;
	const size_t count = log->array.count;
	struct logged_sample *samples = log->array.items;
	size_t begin = 0;

	for (size_t first = 0; first < count; first += SORT_BLOCK) {
		const size_t end = first + SORT_BLOCK < count ? first + SORT_BLOCK : count;

		look_ahead(samples + first, end - first, earliest_ns[first / SORT_BLOCK + 1], ahead_ns);
		for (size_t i = first; i < end; i++) {
			if (latest_ns <= ahead_ns[i - first]) {
				sort(sorter, samples + begin, i - begin);
				begin = i;
			}
			if (samples[i].time_ns > latest_ns)
				latest_ns = samples[i].time_ns;
		}
		if (first / SORT_BLOCK % RELEASE_BLOCKS == 0)
			sample_log_release(log);
	}
	sort(sorter, samples + begin, count - begin);
	free(ahead_ns);
}

void sample_log_sort(struct sample_log *log)
{
	struct sorter sorter = { .order = NULL };
	uint64_t *earliest_ns;

	if (!log->is_out_of_order || !sample_log_count(log))
		return;
	earliest_ns = find_earliest(log, (log->array.count + SORT_BLOCK - 1) / SORT_BLOCK);
	sort_pieces(log, &sorter, earliest_ns);
	free(sorter.order);
	free(sorter.copy);
	free(earliest_ns);
}

/* --- reading ---------------------------------------------------------------------- */

size_t sample_log_count(const struct sample_log *log)
{
	return log->array.items ? log->array.count : 0;
}

const struct logged_sample *sample_log_at(const struct sample_log *log, size_t number)
{
	return (const struct logged_sample *)log->array.items + number;
}
