#ifndef XPROF_REPORT_FLAME_FLAME_EVENT_H
#define XPROF_REPORT_FLAME_FLAME_EVENT_H

/* The one of a recording's events that a flame graph begins with. */

#include "base/error.h"
#include "profile/profile.h"
#include "report/flame/flame_options.h"

/*
 * The event that the options name, or the one with most samples, which standard error then says, with the recording's path;
 * PROFILE_NONE: all of them. Events of one kind are joined in the profile. -1 if there is no event of that name.
 */
int flame_event_choose(const struct flame_options *options, const char *path, struct profile *profile,
		       uint32_t *event, struct error *err);

#endif
