#ifndef XPROF_RECORD_EVENT_TERM_H
#define XPROF_RECORD_EVENT_TERM_H

/*
 * Terms that any event may have between slashes, perf-record(1), --event:
 *
 *	name=TEXT                what the recording calls the event
 *	period=N, freq=HZ        how often it is sampled
 *	call-graph=MODE          no, fp, dwarf or auto, for this event
 *	stack-size=BYTES         of its stack dumps
 *	max-stack=N              of its call chains, which the kernel follows then
 *	inherit, no-inherit      whether new threads and processes are followed
 *	branch_type=FILTER       which branches are recorded with it; as -j, joined by |
 */

#include "base/error.h"
#include "record/event/event_spec.h"

/* `value` is NULL without one. 1 done, 0 no such term, -1 with err, which names the term. */
int event_term_apply(struct event_spec *spec, const char *name, const char *value, struct error *err);

/* "TERM=VALUE,...", of an event that is none of a PMU. -1 with err where a term is unknown, too. */
int event_terms_apply(struct event_spec *spec, const char *text, struct error *err);

/* The number of a term; 1 without one ("edge" is "edge=1"). The message names the term. */
int event_term_value(const char *name, const char *value, uint64_t *number, struct error *err);

#endif
