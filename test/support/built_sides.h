#ifndef XPROF_TEST_SUPPORT_BUILT_SIDES_H
#define XPROF_TEST_SUPPORT_BUILT_SIDES_H

/* The two sides of a diff, each a recording that was never read: "/nonexistent/before" and "/nonexistent/after". */

#include "report/diff/diff_recordings.h"

struct built_sides {
	struct diff_recordings sides[COMPARE_SIDES];
};

void built_sides_init(struct built_sides *built);
void built_sides_fini(struct built_sides *built);

/* To be filled; see profile_builder.h. */
struct profile *built_sides_profile(struct built_sides *built, int side);

/* Once both are filled: frames are known. */
void built_sides_finish(struct built_sides *built);

#endif
