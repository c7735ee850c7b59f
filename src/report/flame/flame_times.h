#ifndef XPROF_REPORT_FLAME_FLAME_TIMES_H
#define XPROF_REPORT_FLAME_FLAME_TIMES_H

/* When the stacks of a flame graph were sampled: the node and the slices of each sample of its profile. */

#include "profile/sample_slices.h"

struct flame_times {
	uint32_t *leaves; /* by sample; CALL_TREE_NONE: not drawn. NULL: unknown */
	uint32_t sample_count;
	struct sample_slices slices;
};

/* Takes ownership of `leaves`. The timeline is finished; may be NULL. */
void flame_times_init(struct flame_times *times, uint32_t *leaves, uint32_t sample_count,
		      const struct timeline *timeline);
void flame_times_fini(struct flame_times *times);

#endif
