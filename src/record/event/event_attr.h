#ifndef XPROF_RECORD_EVENT_ATTR_H
#define XPROF_RECORD_EVENT_ATTR_H

/*
 * Makes a struct perf_event_attr from an event_spec and the options of the recording, and
 * changes it afterwards for the sideband event, for the file, and for machines without a PMU.
 */

#include <linux/perf_event.h>
#include <stdbool.h>

#include "base/strbuf.h"
#include "record/event/call_graph.h"
#include "record/event/event_spec.h"
#include "record/event/sample_clock.h"
#include "record/event/sample_extras.h"

struct sampling_options {
	uint64_t period;    /* -c; 0: by frequency */
	uint64_t frequency; /* Hz; used if period is 0 */
	bool rate_given;    /* -c or -F was given: it then applies to tracepoints, too */
	struct call_graph call_graph;
	uint64_t branch_filter;    /* attr.branch_sample_type; 0: no branch stacks */
	bool no_inherit;           /* new threads and processes are not followed */
	bool idle;                 /* cpu-clock samples of the idle task are wanted */
	bool sample_cpu;           /* each sample has its CPU; always so in system-wide recordings */
	bool sample_period;        /* each sample has its period; always so with a frequency */
	bool user_callchains;      /* leave out the kernel's part of call chains */
	bool kernel_callchains;    /* leave out the user's part */
	struct sample_clock clock; /* the clock of all times */
	struct sample_extras extras;
	bool no_samples;        /* only sideband records (mappings, forks, names), no samples */
	bool thread_stats;      /* the counts of each thread are written when it ends */
	bool times;             /* counts come with the times the event was enabled and running */
	bool stacks_are_chains; /* stacks are copied and unwound while recording, so few dumps are written */
	bool data_mappings, context_switches, namespaces, cgroups; /* write such records, too */
};

/* Returns 0, or -1 with err if --call-graph lbr contradicts the terms of the event or other options. */
int event_attr_check_branches(const struct event_spec *spec, const struct sampling_options *options,
			      struct error *err);

/*
 * Returns the attr of a sampler: disabled, without sideband records. `any_thread`: the whole system or CPUs
 * are recorded. `several`: the file has other samplers, too, so its records need the event's id.
 */
struct perf_event_attr event_attr_sampler(const struct event_spec *spec,
					  const struct sampling_options *options, bool any_thread,
					  bool several);

/*
 * Returns the attr of the sideband event: it counts nothing, but the kernel writes its records when threads
 * map, fork, exec and exit. It is enabled at once, so that changes while /proc is read are not missed. Its
 * records have the same sample_id trailer as those of `sampler`.
 */
struct perf_event_attr event_attr_sideband(const struct perf_event_attr *sampler);

/* Adds the records that the options ask for. */
void event_attr_extend_sideband(struct perf_event_attr *sideband, const struct sampling_options *options);

/*
 * Returns the attr to write into the file for the first sampler: as if that delivered the sideband records,
 * too. The sideband event itself is not in the file: it never samples, and its records have the layout of the
 * first sampler's.
 */
struct perf_event_attr event_attr_with_sideband(const struct perf_event_attr *sampler,
						const struct perf_event_attr *sideband);

/*
 * Call it after "no such event": turns cycles into cpu-clock, which every machine has. Returns false
 * if the event is not cycles, or asks for branch stacks, which only a PMU has.
 */
bool event_attr_fall_back_to_clock(struct perf_event_attr *attr, bool idle);

/* Shorten stack dumps and call chains of samples to the limit. They never lengthen them, nor add any. */
void event_attr_limit_dump(struct perf_event_attr *attr, uint32_t dump_bytes);
void event_attr_limit_stack(struct perf_event_attr *attr, unsigned int max_stack);

/* The byte offset of the time in every sample of the event, from the start of the record. */
size_t event_attr_sample_time_offset(const struct perf_event_attr *attr);

/* The size in bytes of the sample_id trailer of the event's records. */
size_t event_attr_sample_id_size(const struct perf_event_attr *attr);

#endif
