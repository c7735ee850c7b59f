#ifndef XPROF_REPORT_DIFF_DIFF_EVENTS_H
#define XPROF_REPORT_DIFF_DIFF_EVENTS_H

/* Pairs the events of the two sides of a diff by their names. */

#include "report/diff/diff_recordings.h"

/* By their numbers in the first recording of each side. */
struct diff_event_pair {
	uint32_t event[COMPARE_SIDES];
};

struct diff_events {
	struct diff_event_pair *pairs; /* one at least */
	size_t count;
};

/*
 * `sides`: COMPARE_SIDES of them, open. The event of that name, which both have to have; without one (NULL) all that
 * both have samples of, and where there are none the one of each with most samples. -1: there is nothing to compare;
 * nothing is to be released then.
 */
int diff_events_choose(struct diff_events *events, const struct diff_recordings *sides, const char *name,
		       struct error *err);
void diff_events_fini(struct diff_events *events);

#endif
