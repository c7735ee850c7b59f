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

/*
 * Applies one term; `value` is NULL if it has none. Returns 1, 0 if there is no such term, -1 with err, which
 * names the term.
 */
int event_term_apply(struct event_spec *spec, const char *name, const char *value, struct error *err);

/*
 * Applies "TERM=VALUE,..." of an event without a PMU. Returns 0, or -1 with err if a value is wrong or a term
 * unknown.
 */
int event_terms_apply(struct event_spec *spec, const char *text, struct error *err);

/*
 * Parses the value of a term; NULL is 1 ("edge" means "edge=1"). Returns 0, or -1 with err, which names the
 * term.
 */
int event_term_value(const char *name, const char *value, uint64_t *number, struct error *err);

#endif
