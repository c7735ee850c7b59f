#ifndef XPROF_REPORT_DIFF_DIFF_EVENTS_H
#define XPROF_REPORT_DIFF_DIFF_EVENTS_H

/* Pairs the events of the two sides of a diff by their names. */

#include "report/diff/diff_recordings.h"

/* Numbers of the events in the first recording of each side. */
struct diff_event_pair {
	uint32_t event[COMPARE_SIDES];
};

struct diff_events {
	struct diff_event_pair *pairs; /* at least one */
	size_t count;
};

/*
 * Chooses the events to compare; `sides` is an array of COMPARE_SIDES, open. With `name`: that event, which
 * both must have. With NULL: all events of which both have samples; if there are none, the event of each side
 * with most samples. Returns 0, or -1 with err if there is nothing to compare; then nothing has to be
 * released.
 */
int diff_events_choose(struct diff_events *events, const struct diff_recordings *sides, const char *name,
		       struct error *err);
void diff_events_fini(struct diff_events *events);

#endif
