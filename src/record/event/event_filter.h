#ifndef XPROF_RECORD_EVENT_FILTER_H
#define XPROF_RECORD_EVENT_FILTER_H

/*
 * --filter: which hits of a tracepoint are samples, by its fields. The kernel understands the text
 * (Documentation/trace/events.rst, "Event filtering"), but does not say what is wrong with one.
 */

#include <stddef.h>

#include "base/error.h"
#include "record/event/event_spec.h"

/* Filters as they stand on the command line, each behind an -e. */
struct event_filters {
	struct event_filter {
		const char *text;     /* the command line's */
		size_t events_before; /* how many -e there were */
	} * items;
	size_t count, capacity;
};

int event_filters_add(struct event_filters *filters, const char *text, size_t events_before,
		      struct error *err);
void event_filters_fini(struct event_filters *filters);

/*
 * Sets the filters behind -e number `events_before` on its events, which begin at `first`. -1 with err where one is no
 * tracepoint or has no such field.
 */
int event_filters_apply(const struct event_filters *filters, size_t events_before, struct event_specs *specs,
			size_t first, const struct event_sources *sources, struct error *err);

/* One more condition, on all tracepoints: they are not hit by process `pid`. */
void event_filters_exclude_process(struct event_specs *specs, int pid);

#endif
