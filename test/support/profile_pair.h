#ifndef XPROF_TEST_SUPPORT_PROFILE_PAIR_H
#define XPROF_TEST_SUPPORT_PROFILE_PAIR_H

/* Two profiles of one event, and their diff. */

#include "profile/profile_diff.h"

struct profile_pair {
	struct profile *profile[COMPARE_SIDES]; /* fill before matching */
	struct frame_table frames[COMPARE_SIDES];
	struct filter filter; /* for both: everything passes */
	struct profile_diff *diff;
};

void profile_pair_init(struct profile_pair *pair, const char *event);
void profile_pair_fini(struct profile_pair *pair);

/* Matches the profiles, with one run each. Call once. */
void profile_pair_match(struct profile_pair *pair, unsigned keys, const struct name_pairs *pairs);

#endif
