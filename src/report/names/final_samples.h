#ifndef XPROF_REPORT_NAMES_FINAL_SAMPLES_H
#define XPROF_REPORT_NAMES_FINAL_SAMPLES_H

/*
 * Turns the samples of a raw profile into samples of the final one. Each gets the final number of its stack,
 * the reason why the stack ends (now that its outermost function is known), and the final string of its
 * cgroup. If no two samples have become equal, the array is moved and changed; otherwise samples are copied and equal
 * ones added up.
 */

#include "profile/raw_profile.h"
#include "report/names/final_stacks.h"

/*
 * `profile` has the raw profile's events and threads under the same numbers, the stacks, and no samples yet.
 * Do not use the samples of the raw profile afterwards.
 *
 * Returns, if `numbered`, the final number of each raw sample, which the caller frees; NULL: no number has changed.
 */
uint32_t *final_samples_make(struct raw_profile *raw, const struct final_stacks *stacks,
			     struct profile *profile, bool numbered);

#endif
