#ifndef XPROF_PROFILE_DSO_BUILDS_H
#define XPROF_PROFILE_DSO_BUILDS_H

/*
 * The builds of each DSO on the two sides of a comparison. A function without a name is known by its offset,
 * which means another function in another build. So such functions are matched only if both sides have the
 * same build-id; otherwise all functions of the DSO without a name count as one.
 */

#include <stdbool.h>

#include "profile/compare.h"
#include "profile/name_pairs.h"
#include "profile/profile.h"

struct dso_builds;

struct dso_builds *dso_builds_create(void);
void dso_builds_destroy(struct dso_builds *builds);

/* One recording of a side (enum of compare.h: COMPARE_BEFORE, COMPARE_AFTER). Texts are copied. */
void dso_builds_add(struct dso_builds *builds, int side, const struct profile *profile);

/*
 * Can functions of the side's DSO `name` be told by their offsets? Yes, if all recordings have one build of it, or if the
 * DSO is in no other recording. `pairs` has DSOs with another name on the other side; may be NULL.
 */
bool dso_builds_agree(const struct dso_builds *builds, const struct name_pairs *pairs, int side,
		      const char *name);

/* Takes their functions without names from the locations of DSOs whose builds do not agree. Of a profile that was added. */
void dso_builds_drop_nameless(const struct dso_builds *builds, const struct name_pairs *pairs, int side,
			      struct profile *profile);

#endif
