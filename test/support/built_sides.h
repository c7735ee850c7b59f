#ifndef XPROF_TEST_SUPPORT_BUILT_SIDES_H
#define XPROF_TEST_SUPPORT_BUILT_SIDES_H

/* The two sides of a diff, "/nonexistent/before" and "/nonexistent/after": recordings that were never read. */

#include "report/diff/diff_recordings.h"

struct built_sides {
	struct diff_recordings sides[COMPARE_SIDES];
};

void built_sides_init(struct built_sides *built);
void built_sides_fini(struct built_sides *built);

/* The profile to fill; see profile_builder.h. */
struct profile *built_sides_profile(struct built_sides *built, int side);

/* Call when both are filled: makes the frames. */
void built_sides_finish(struct built_sides *built);

#endif
