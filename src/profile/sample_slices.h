#ifndef XPROF_PROFILE_SAMPLE_SLICES_H
#define XPROF_PROFILE_SAMPLE_SLICES_H

/*
 * Tells in which part of a recording samples were taken. The recording is cut into slices of equal weight in
 * order of time, so that slices of two recordings of one program have about the same work, even if their
 * speeds differ.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "profile/timeline.h"

struct sample_slice {
	uint32_t slice;
	double weight;
};

struct sample_slices {
	struct sample_slice *items;
	size_t *first; /* sample s of the profile has the slices items[first[s]] up to, not including, items[first[s +
			  1]] */
};

/*
 * Cuts a finished timeline, whose samples have numbers below `sample_count`, into `slice_count` slices. Only samples
 * with wanted[number] are considered. `items` is NULL if the timeline has none of them.
 */
void sample_slices_init(struct sample_slices *slices, const struct timeline *timeline, const bool *wanted,
			uint32_t sample_count, uint32_t slice_count);
void sample_slices_fini(struct sample_slices *slices);

#endif
