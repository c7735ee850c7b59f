#ifndef XPROF_REPORT_VIEW_EVENT_CHOICE_H
#define XPROF_REPORT_VIEW_EVENT_CHOICE_H

/*
 * Weights of different events do not add up, so views that draw one sum have to choose one event.
 *
 * A hybrid machine counts one event by one PMU for each kind of core: perf names it once for each, "cpu_core/cycles/"
 * and "cpu_atom/cycles/". Their weights are of the same thing and do add up; such views draw them together, as
 * "cycles".
 */

#include "base/error.h"
#include "base/strbuf.h"
#include "profile/profile.h"

/* Is an event called `own` meant by `name`? By its whole name, or what is before its modifiers: "cycles" for "cycles:u". */
bool event_choice_is_named(const char *own, const char *name);

/*
 * The number of the event of that name, with or without its modifiers ("cycles" finds "cycles:u"). -1 with a message
 * that lists the events there are.
 */
int event_choice_find(const struct profile *profile, const char *name, uint32_t *event, struct error *err);

/*
 * The event that has most samples, the first of several that have as many, and how many events have some;
 * PROFILE_NONE when none has.
 */
uint32_t event_choice_most(const struct profile *profile, uint32_t *with_samples);

/*
 * Joins what several PMUs of cores counted of one event: the samples become those of the first of them, which is
 * called by the event alone. Nothing is joined when `wanted` names an event as it was recorded; NULL: no event was
 * asked for. Call it after profile_finish(). `said`, which may be NULL, gets "cycles is cpu_core/cycles/ and
 * cpu_atom/cycles/" for each event that was joined and has samples of more than one PMU, ", " between them; names as
 * they are.
 */
void event_choice_join(struct profile *profile, const char *wanted, struct strbuf *said);

/*
 * Joins time on a CPU (cpu-clock, task-clock) and off it (offcpu-time), both in nanoseconds, to one event, "wall-clock", whose
 * number is `event`. -1 with a message where one of them was not recorded. Call it after profile_finish().
 */
int event_choice_join_wall(struct profile *profile, uint32_t *event, struct error *err);

#endif
