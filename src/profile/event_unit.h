#ifndef XPROF_PROFILE_EVENT_UNIT_H
#define XPROF_PROFILE_EVENT_UNIT_H

/*
 * The unit of an event's weight. In a recording it follows from the event: clocks count nanoseconds, others count how often the
 * event happened. A profile of another tool states it, or leaves it open (EVENT_UNIT_UNKNOWN).
 */

#include "base/strbuf.h"
#include "profile/profile.h"

#define EVENT_UNIT_UNKNOWN "unknown"

/* Is the event a clock: "cpu-clock:u", "task-clock", "offcpu-time", "wall-clock" ...? */
bool event_unit_is_clock(const char *event_name);

/* "nanoseconds", "count", "bytes" ..., or EVENT_UNIT_UNKNOWN. Valid as long as the profile. */
const char *event_unit_of(const struct profile *profile, uint32_t event);

/*
 * Does the event come from another tool's profile, which states the unit or leaves it open? False for
 * recordings.
 */
bool event_unit_is_imported(const struct profile *profile, uint32_t event);

/*
 * Appends the unit to print behind an imported weight; may contain any bytes: "nanoseconds", "bytes"; the event's name for counts
 * of the event; "NAME (unit unknown)" if the unit is left open.
 */
void event_unit_add_words(struct strbuf *out, const struct profile *profile, uint32_t event);

#endif
