#ifndef XPROF_REPORT_VIEW_EVENT_CHOICE_H
#define XPROF_REPORT_VIEW_EVENT_CHOICE_H

/*
 * Weights of different events cannot be added, so views with one sum have to choose one event.
 *
 * A hybrid machine has a PMU for each kind of core, so perf records an event once per PMU: "cpu_core/cycles/"
 * and "cpu_atom/cycles/". Their weights can be added, so such views join them to "cycles".
 */

#include "base/error.h"
#include "base/strbuf.h"
#include "profile/profile.h"

/*
 * Does `name` mean the event called `own`? It may be the whole name, or the part before modifiers: "cycles"
 * for "cycles:u".
 */
bool event_choice_is_named(const char *own, const char *name);

/*
 * Finds the number of the event called `name`, with or without modifiers ("cycles" finds "cycles:u"). Returns
 * 0, or -1 with err, which lists the events.
 */
int event_choice_find(const struct profile *profile, const char *name, uint32_t *event, struct error *err);

/*
 * The event with most samples, the first of several equal ones; PROFILE_NONE if no event has samples.
 * *with_samples is the number of events that have samples.
 */
uint32_t event_choice_most(const struct profile *profile, uint32_t *with_samples);

/*
 * Joins the events of several PMUs of cores: their samples become samples of the first one, which gets the
 * name without PMU. Nothing is joined if `wanted` is the full name of a recorded event; NULL: no event was
 * asked for. Call it after profile_finish(). `said`, which may be NULL, gets "cycles is cpu_core/cycles/ and
 * cpu_atom/cycles/" for each joined event with samples of more than one PMU, separated by ", "; names are not
 * escaped.
 */
void event_choice_join(struct profile *profile, const char *wanted, struct strbuf *said);

/*
 * Joins time on a CPU (cpu-clock, task-clock) and off it (offcpu-time), both in nanoseconds, to one event
 * "wall-clock" and sets its number. Returns 0, or -1 with err if one of them was not recorded. Call it after
 * profile_finish().
 */
int event_choice_join_wall(struct profile *profile, uint32_t *event, struct error *err);

#endif
