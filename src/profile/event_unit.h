#ifndef XPROF_PROFILE_EVENT_UNIT_H
#define XPROF_PROFILE_EVENT_UNIT_H

/*
 * The unit of an event's weight. Of a recording it follows from the event: clocks count nanoseconds, all else counts how often the
 * event happened. A profile of another tool says it, or leaves it open (EVENT_UNIT_UNKNOWN).
 */

#include "base/strbuf.h"
#include "profile/profile.h"

#define EVENT_UNIT_UNKNOWN "unknown"

/* "cpu-clock:u", "task-clock", "offcpu-time", "wall-clock" ... */
bool event_unit_is_clock(const char *event_name);

/* "nanoseconds", "count", "bytes" ..., or EVENT_UNIT_UNKNOWN. Valid as long as the profile. */
const char *event_unit_of(const struct profile *profile, uint32_t event);

/* Did another tool's profile say the unit, or leave it open? False of recordings. */
bool event_unit_is_imported(const struct profile *profile, uint32_t event);

/*
 * Appends the words that stand behind an imported weight, any bytes: "nanoseconds", "bytes"; the event's name for a count of that
 * event, and "NAME (unit unknown)" where the unit is left open.
 */
void event_unit_add_words(struct strbuf *out, const struct profile *profile, uint32_t event);

#endif
