#ifndef XPROF_REPORT_LOAD_DSO_SAMPLES_H
#define XPROF_REPORT_LOAD_DSO_SAMPLES_H

/*
 * Counts the samples of each DSO of a profile: those taken in the DSO, and those with the DSO anywhere in the
 * stack.
 */

#include <stdbool.h>

#include "profile/profile.h"

struct dso_samples {
	uint32_t none;   /* index for frames in no DSO; it follows those of all DSOs */
	uint64_t *self;  /* samples taken in the DSO, by its number */
	uint64_t *stack; /* samples with a frame of the DSO, those of `self` included */
};

/* Counts frames of all functions or, with `nameless_only`, of functions without a name. */
void dso_samples_count(struct dso_samples *samples, const struct profile *profile, bool nameless_only);
void dso_samples_fini(struct dso_samples *samples);

#endif
