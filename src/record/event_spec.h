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
 *	msr/tsc/  cpu/event=0x3c,umask=1/  an event of any PMU that sysfs describes
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

struct event_spec {
	char *name; /* as it was typed, modifiers included */
	uint64_t config, config1, config2;
	uint64_t period, frequency; /* from the terms period= and freq=; 0: not given */
	uint32_t type;              /* PERF_TYPE_*, or a PMU's number */
	uint8_t precise;            /* precise_ip, 0 to 3 */
	bool precise_max;           /* modifier P: as precise as the PMU can */
	bool pinned, exclusive;
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
void event_specs_fini(struct event_specs *specs);

/* Calls visit with the name of every hardware, software and cache event, as -e takes it. */
void event_spec_names(void (*visit)(const char *name, void *context), void *context);

bool event_spec_is_cpu_clock(const struct event_spec *spec);

#endif
