#ifndef XPROF_RECORD_EVENT_FILTER_H
#define XPROF_RECORD_EVENT_FILTER_H

/*
 * --filter: selects the hits of a tracepoint that become samples by conditions on its fields. The kernel parses the
 * text (Documentation/trace/events.rst, "Event filtering"), but does not say what is wrong with it, so names
 * of fields are checked here.
 */

#include <stddef.h>

#include "base/error.h"
#include "record/event/event_spec.h"

/* The filters in the order of the command line, each after an -e. */
struct event_filters {
	struct event_filter {
		const char *text;     /* borrowed from the command line */
		size_t events_before; /* number of -e before it */
	} * items;
	size_t count, capacity;
};

int event_filters_add(struct event_filters *filters, const char *text, size_t events_before,
		      struct error *err);
void event_filters_fini(struct event_filters *filters);

/*
 * Applies the filters with this `events_before` to the events of the last -e before them, which are those
 * from `first` on. Returns 0, or -1 with err if an event is not a tracepoint or lacks a field.
 */
int event_filters_apply(const struct event_filters *filters, size_t events_before, struct event_specs *specs,
			size_t first, const struct event_sources *sources, struct error *err);

/* Adds a condition to all tracepoints: hits by process `pid` do not count. */
void event_filters_exclude_process(struct event_specs *specs, int pid);

#endif
