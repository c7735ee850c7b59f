#ifndef XPROF_PROFILE_SAMPLE_WALK_H
#define XPROF_PROFILE_SAMPLE_WALK_H

/*
 * All samples of a profile, one after the other, also if their stacks are in sample_sums: then each combination of a sample
 * and a stack once, in order of stacks.
 *
 *     sample_walk_init(&walk, profile, NULL);
 *     while (sample_walk_next(&walk))
 *             add(&walk.sample);
 */

#include <stdbool.h>

#include "profile/profile.h"
#include "profile/sample_sums.h"

struct sample_walk {
	const struct profile *profile;
	const struct sample_sums *sums;
	struct profile_sample sample; /* the present one, with its stack and sums */
	uint32_t number;              /* its number in the profile */

	uint32_t next;
	struct sample_sums_run *rest; /* of each run; a heap, least sum first */
	size_t rest_count;
	size_t read;
};

/* `sums` is finished; NULL: the samples of the profile have stacks. */
void sample_walk_init(struct sample_walk *walk, const struct profile *profile,
		      const struct sample_sums *sums);

/* False after the last sample; the walk then holds no memory. */
bool sample_walk_next(struct sample_walk *walk);

#endif
