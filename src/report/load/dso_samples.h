#ifndef XPROF_REPORT_LOAD_DSO_SAMPLES_H
#define XPROF_REPORT_LOAD_DSO_SAMPLES_H

/* In how many samples each DSO of a profile is: as the one that was sampled, and anywhere in the stack. */

#include <stdbool.h>

#include "profile/profile.h"

struct dso_samples {
	uint32_t none;   /* number of what lies in no DSO, behind those of all DSOs */
	uint64_t *self;  /* by number of DSO */
	uint64_t *stack; /* a sample once, however many frames are of the DSO; those of `self` included */
};

/* Of all functions, or only of those without a name. */
void dso_samples_count(struct dso_samples *samples, const struct profile *profile, bool nameless_only);
void dso_samples_fini(struct dso_samples *samples);

#endif
