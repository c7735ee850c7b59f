#ifndef XPROF_PROFILE_FRAME_H
#define XPROF_PROFILE_FRAME_H

/*
 * What a view takes for "the same function": a frame is one number for all
 * locations of one function, and a number of its own for each location of which
 * nothing is known (perf compares those by address, too).
 */

#include "profile/profile.h"

static inline uint32_t frame_of_location(const struct profile *profile, uint32_t location)
{
	uint32_t function = profile_location_at(profile, location)->function;

	return function != PROFILE_NONE ? function : profile_function_count(profile) + location;
}

/* One more than the largest frame number, for arrays indexed by it. */
static inline uint32_t frame_count(const struct profile *profile)
{
	return profile_function_count(profile) + profile_location_count(profile);
}

/* The function of a frame; NULL when it stands for a mere location. */
static inline const struct profile_function *frame_function(const struct profile *profile, uint32_t frame)
{
	return frame < profile_function_count(profile) ? profile_function_at(profile, frame) : NULL;
}

/* Only of a frame without a function. */
static inline const struct profile_location *frame_location(const struct profile *profile, uint32_t frame)
{
	return profile_location_at(profile, frame - profile_function_count(profile));
}

#endif
