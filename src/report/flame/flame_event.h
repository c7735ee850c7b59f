#ifndef XPROF_REPORT_FLAME_FLAME_EVENT_H
#define XPROF_REPORT_FLAME_FLAME_EVENT_H

/* Chooses the event of a recording with which a flame graph begins. */

#include "base/error.h"
#include "profile/profile.h"
#include "report/flame/flame_options.h"

/*
 * The event that the options name or, if they name none, the one with most samples, which is then printed to standard error
 * with the recording's path. PROFILE_NONE: all events. Joins events of one kind in the profile. Returns 0, or -1 with err if
 * there is no event of that name.
 */
int flame_event_choose(const struct flame_options *options, const char *path, struct profile *profile,
		       uint32_t *event, struct error *err);

#endif
