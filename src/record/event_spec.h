#ifndef XPROF_RECORD_EVENT_SPEC_H
#define XPROF_RECORD_EVENT_SPEC_H

/*
 * What the user asks to be sampled: the argument of -e turned into numbers of
 * struct perf_event_attr (linux/perf_event.h), without opening anything.
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
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "record/call_graph.h"

struct event_spec {
	char *name;       /* as it was typed, modifiers included, or what the term name= says */
	char *tracepoint; /* SYSTEM:NAME; NULL: it is none */
	char *filter;     /* --filter, in the kernel's language; NULL: none */
	uint64_t config, config1, config2; /* of a breakpoint: config1 is its address, config2 its bytes */
	uint64_t period, frequency;        /* from the terms period= and freq=; 0: not given */
	uint32_t type;                     /* PERF_TYPE_*, or a PMU's number */
	uint8_t precise;                   /* precise_ip, 0 to 3 */
	bool precise_max;                  /* modifier P: as precise as the PMU can */
	bool pinned, exclusive, exclude_idle;
	bool sample_read;             /* modifier S: samples of the leader carry the counts of the group */
	bool weak;                    /* modifier W: without a group where the group cannot be opened */
	uint32_t breakpoint_type;     /* HW_BREAKPOINT_*, linux/hw_breakpoint.h */
	struct call_graph call_graph; /* from the term call-graph=, if call_graph_given */
	uint32_t stack_dump_bytes;    /* from the term stack-size=; 0: not given */
	uint16_t max_stack;           /* from the term max-stack=; 0: not given */
	bool call_graph_given, inherit_given, inherit;
	uint64_t branch_filter; /* from the term branch_type=; 0: not given */
	bool exclude_user, exclude_kernel, exclude_hypervisor;
	bool exclude_host, exclude_guest;
	size_t group_size; /* of the first event of a group, which leads it: how many events it has; else 0 */
};

struct event_specs {
	struct event_spec *items;
	size_t count, capacity;
};

/* Where the kernel describes its events; the defaults, and directories of their own in tests. */
struct event_sources {
	const char *pmu_directory;  /* "/sys/bus/event_source/devices" */
	const char *const *tracefs; /* NULL-terminated, tried in this order */
};
extern const struct event_sources event_sources_system;

/* The first tracefs that is mounted; NULL: none. */
const char *event_sources_find_tracefs(const struct event_sources *sources);

/* Appends the events of one -e argument. -1 with a message that names the event, and the nearest known one. */
int event_specs_parse(struct event_specs *specs, const char *text, const struct event_sources *sources,
		      struct error *err);
/* Adds modifiers to all events, as behind the braces of a group. */
int event_specs_restrict(struct event_specs *specs, const char *modifiers, struct error *err);
/* Makes one group of all events. */
void event_specs_group(struct event_specs *specs);
void event_specs_fini(struct event_specs *specs);

bool event_spec_is_cpu_clock(const struct event_spec *spec);

#endif
