#ifndef XPROF_RECORD_EVENT_PARSER_H
#define XPROF_RECORD_EVENT_PARSER_H

/*
 * Turns the argument of -e into numbers of struct perf_event_attr (linux/perf_event.h), without opening
 * anything.
 *
 *	cycles  cpu-clock  page-faults     hardware and software events
 *	L1-dcache-load-misses              cache events, NAME-OP or NAME-OP-misses
 *	r1a8                               a raw event of the CPU, hexadecimal
 *	sched:sched_switch                 a tracepoint
 *	sched:*  syscalls:sys_enter_*      every tracepoint that matches
 *	msr/tsc/  cpu/event=0x3c,umask=1/  an event of any PMU that sysfs describes
 *	cpu-clock/max-stack=2/             any of these with terms, see event_term.h
 *	mem:0x4010/4:w                     a breakpoint on data (r, w, rw) or code (x)
 *
 * Each may be followed by modifiers: `:u`, `:kpp`, and after a PMU's last slash
 * also without the colon. Commas separate events.
 *
 *	{cycles,instructions}:u            a group: events that count at the same times
 *
 *     if (event_specs_parse(&specs, "cycles:u,sched:sched_switch", &event_sources_system, &err) < 0)
 *             return -1;    (err names the event that is not known)
 */

#include "base/error.h"
#include "record/event/event_spec.h"

/*
 * Appends the events of one -e argument. Returns 0, or -1 with err, which names the unknown event and the
 * most similar known one.
 */
int event_specs_parse(struct event_specs *specs, const char *text, const struct event_sources *sources,
		      struct error *err);
/* Applies modifiers such as "u" to all events, as if they followed the braces of a group. */
int event_specs_restrict(struct event_specs *specs, const char *modifiers, struct error *err);

#endif
