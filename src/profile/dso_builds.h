#ifndef XPROF_PROFILE_DSO_BUILDS_H
#define XPROF_PROFILE_DSO_BUILDS_H

/*
 * The builds of each DSO on the two sides of a comparison. A function without a name is identified by its
 * offset, where another build has another function. So such functions are matched only if both sides have the
 * same build-id; otherwise all functions of the DSO without a name count as one.
 */

#include <stdbool.h>

#include "profile/compare.h"
#include "profile/name_pairs.h"
#include "profile/profile.h"

struct dso_builds;

struct dso_builds *dso_builds_create(void);
void dso_builds_destroy(struct dso_builds *builds);

/* Adds one recording of a side (COMPARE_BEFORE or COMPARE_AFTER, compare.h). Texts are copied. */
void dso_builds_add(struct dso_builds *builds, int side, const struct profile *profile);

/*
 * May functions of the DSO `name` of `side` be matched by their offsets? Yes if all recordings with the DSO have the same
 * build of it, or if only one has it. `pairs` has the DSOs that have another name on the other side; may be NULL.
 */
bool dso_builds_agree(const struct dso_builds *builds, const struct name_pairs *pairs, int side,
		      const char *name);

/* In an added profile, sets locations of DSOs whose builds do not agree to "no function" if their function has no name. */
void dso_builds_drop_nameless(const struct dso_builds *builds, const struct name_pairs *pairs, int side,
			      struct profile *profile);

#endif
