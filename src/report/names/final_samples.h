#ifndef XPROF_REPORT_NAMES_FINAL_SAMPLES_H
#define XPROF_REPORT_NAMES_FINAL_SAMPLES_H

/*
 * The samples of a raw profile become those of the final one, each with the final number of its stack, the reason why
 * that ends now that its beginning is known, and the final string of its cgroup. They are moved where all that were
 * different still are; otherwise they are copied, and those that have become equal are added up.
 */

#include "profile/raw_profile.h"
#include "report/names/final_stacks.h"

/*
 * `profile` has the raw profile's events and threads under the same numbers, the stacks, and no samples yet. The raw
 * profile's may not be asked for afterwards.
 *
 * `sample_numbers`, if not NULL, gets the number of each of the raw profile's samples in the final one.
 */
void final_samples_make(struct raw_profile *raw, const struct final_stacks *stacks, struct profile *profile,
			uint32_t *sample_numbers);

#endif
