#ifndef XPROF_RECORD_EVENT_SPEC_H
#define XPROF_RECORD_EVENT_SPEC_H

/* The events to sample, described by the numbers of struct perf_event_attr (linux/perf_event.h). */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "record/event/call_graph.h"

struct event_spec {
	char *name;       /* as typed, with modifiers, or from the term name= */
	char *tracepoint; /* SYSTEM:NAME; NULL: not a tracepoint */
	char *filter;     /* --filter, in the kernel's language; NULL: none */
	char *cgroup;     /* -G, a path below the mount of cgroups; NULL: any */
	char *cpus; /* "2-5,7": the CPUs of its PMU, on a machine with several kinds of cores; NULL: all */
	/* breakpoints: config1 is the address, config2 the length in bytes */
	uint64_t config, config1, config2;
	uint64_t period, frequency; /* from the terms period= and freq=; 0: not given */
	uint32_t type;              /* PERF_TYPE_*, or a PMU's number */
	uint8_t precise;            /* precise_ip, 0 to 3 */
	bool precise_max;           /* modifier P: as precise as the PMU can */
	bool pinned, exclusive, exclude_idle;
	bool sample_read;             /* modifier S: samples of the leader carry the counts of the group */
	bool weak;                    /* modifier W: opened without the group if the group cannot be opened */
	uint32_t breakpoint_type;     /* HW_BREAKPOINT_*, linux/hw_breakpoint.h */
	struct call_graph call_graph; /* from the term call-graph=, if call_graph_given */
	uint32_t stack_dump_bytes;    /* from the term stack-size=; 0: not given */
	uint16_t max_stack;           /* from the term max-stack=; 0: not given */
	bool call_graph_given, inherit_given, inherit;
	uint64_t branch_filter; /* from the term branch_type=; 0: not given */
	bool exclude_user, exclude_kernel, exclude_hypervisor;
	bool exclude_host, exclude_guest;
	size_t group_size; /* group leader: number of events in the group; other events: 0 */
};

struct event_specs {
	struct event_spec *items;
	size_t count, capacity;
};

/* Where the kernel describes its events. Tests use other directories than these. */
struct event_sources {
	const char *pmu_directory;  /* "/sys/bus/event_source/devices" */
	const char *const *tracefs; /* NULL-terminated, tried in this order */
};
extern const struct event_sources event_sources_system;

/* The mount point of tracefs; NULL if it is not mounted. */
const char *event_sources_find_tracefs(const struct event_sources *sources);

/* Makes all events one group. */
void event_specs_group(struct event_specs *specs);
void event_spec_fini(struct event_spec *spec);
void event_specs_fini(struct event_specs *specs);

bool event_spec_is_cpu_clock(const struct event_spec *spec);

#endif
