/* Only drawn samples are divided into slices, so that slices have the same weight in the picture. */

#include "report/flame/flame_times.h"

#include <stdlib.h>

#include "base/xalloc.h"
#include "profile/call_tree.h"
#include "profile/compare.h"

void flame_times_init(struct flame_times *times, uint32_t *leaves, uint32_t sample_count,
		      const struct timeline *timeline)
{
	bool *wanted = xmalloc(((size_t)sample_count + 1) * sizeof(*wanted));

	*times = (struct flame_times){ .leaves = leaves, .sample_count = sample_count };
	for (uint32_t i = 0; i < sample_count; i++)
		wanted[i] = leaves[i] != CALL_TREE_NONE;
	if (timeline)
		sample_slices_init(&times->slices, timeline, wanted, sample_count, COMPARE_SLICES);
	free(wanted);
}

void flame_times_fini(struct flame_times *times)
{
	free(times->leaves);
	sample_slices_fini(&times->slices);
	*times = (struct flame_times){ 0 };
}
