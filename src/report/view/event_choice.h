#ifndef XPROF_REPORT_VIEW_EVENT_CHOICE_H
#define XPROF_REPORT_VIEW_EVENT_CHOICE_H

/* Weights of different events do not add up, so views that draw one sum have to choose one event. */

#include "base/error.h"
#include "profile/profile.h"

/*
 * The number of the event of that name, with or without its modifiers ("cycles" finds "cycles:u"). -1 with a message
 * that lists the events there are.
 */
int event_choice_find(const struct profile *profile, const char *name, uint32_t *event, struct error *err);

/* The first event that has samples, and how many have some; PROFILE_NONE when none has. */
uint32_t event_choice_first(const struct profile *profile, uint32_t *with_samples);

#endif
