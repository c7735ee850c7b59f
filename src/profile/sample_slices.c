/* A timeline lists samples by slot of time; this file makes a list of slices by sample. */

#include "profile/sample_slices.h"

#include <stdlib.h>

#include "base/xalloc.h"

/*
 * Counts the entries of each sample, then turns the counts into the beginnings of each sample's items. Returns the number of
 * items.
 */
static size_t count_items(struct sample_slices *slices, const struct timeline *timeline, const bool *wanted,
			  uint32_t sample_count, double *weight)
{
	size_t total = 0;

	*weight = 0;
	for (size_t i = 0; i < timeline_count(timeline); i++) {
		const struct timeline_entry *entry = timeline_at(timeline, i);

		if (!wanted[entry->sample])
			continue;
		slices->first[entry->sample]++;
		*weight += (double)entry->weight;
	}
	for (uint32_t i = 0; i <= sample_count; i++) {
		size_t count = slices->first[i];

		slices->first[i] = total;
		total += count;
	}
	return total;
}

void sample_slices_init(struct sample_slices *slices, const struct timeline *timeline, const bool *wanted,
			uint32_t sample_count, uint32_t slice_count)
{
	double weight, before = 0;
	size_t *next, count;

	*slices =
		(struct sample_slices){ .first = xcalloc((size_t)sample_count + 1, sizeof(*slices->first)) };
	count = count_items(slices, timeline, wanted, sample_count, &weight);
	if (!count || !(weight > 0))
		return;
	slices->items = xmalloc(count * sizeof(*slices->items));
	next = xmalloc((size_t)sample_count * sizeof(*next));
	for (uint32_t i = 0; i < sample_count; i++)
		next[i] = slices->first[i];
	for (size_t i = 0; i < timeline_count(timeline); i++) {
		const struct timeline_entry *entry = timeline_at(timeline, i);
		const double own = (double)entry->weight;
		uint32_t slice = (uint32_t)((before + own / 2) / weight * slice_count);

		if (!wanted[entry->sample])
			continue;
		slices->items[next[entry->sample]++] =
			(struct sample_slice){ slice < slice_count ? slice : slice_count - 1, own };
		before += own;
	}
	free(next);
}

void sample_slices_fini(struct sample_slices *slices)
{
	free(slices->items);
	free(slices->first);
}
