#ifndef XPROF_RECORD_EVENT_ATTR_H
#define XPROF_RECORD_EVENT_ATTR_H

/*
 * From what is asked for to struct perf_event_attr, and from there, step by
 * step, to what an older kernel or a machine without a PMU can do.
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
	uint64_t frequency; /* Hz; used where period is 0 */
	bool rate_given;    /* -c or -F was typed: holds for tracepoints too */
	struct call_graph call_graph;
	uint64_t branch_filter;    /* attr.branch_sample_type; 0: no branch stacks */
	bool no_inherit;           /* new threads and processes are not followed */
	bool idle;                 /* cpu-clock samples of the idle task are wanted */
	bool sample_cpu;           /* say the CPU in each sample; always so when any thread is recorded */
	bool sample_period;        /* say the period in each sample; always so by frequency */
	bool user_callchains;      /* leave out the kernel's part of call chains */
	bool kernel_callchains;    /* leave out the user's part */
	struct sample_clock clock; /* what times are of */
	struct sample_extras extras;
	bool no_samples;        /* nothing is sampled, only what threads do is written */
	bool thread_stats;      /* each thread's counts are written when it ends */
	bool times;             /* of counts: how long the event was enabled, and how long it counted */
	bool stacks_are_chains; /* stacks are copied and unwound on the spot: hardly a dump is left in the file */
	bool data_mappings, context_switches, namespaces, cgroups; /* records of these, too */
};

/* -1 with err where --call-graph lbr contradicts the event's own terms or other options. */
int event_attr_check_branches(const struct event_spec *spec, const struct sampling_options *options,
			      struct error *err);

/*
 * A sampler's attr: disabled, without sideband records. `several`: it shares
 * the file with other samplers, so its records carry their id.
 */
struct perf_event_attr event_attr_sampler(const struct event_spec *spec,
					  const struct sampling_options *options, bool any_thread,
					  bool several);

/*
 * The sideband event: a counter that counts nothing, but is there while its
 * threads map, fork, exec and exit. Enabled at once, so that what happens while
 * /proc is read is not missed. Its records end as those of `sampler` do.
 */
struct perf_event_attr event_attr_sideband(const struct perf_event_attr *sampler);

/* Adds the records that only options ask for. */
void event_attr_extend_sideband(struct perf_event_attr *sideband, const struct sampling_options *options);

/*
 * Makes the attr that the file has for the first sampler: as if it also delivered the sideband records. The
 * sideband event itself is not in the file: it never samples, and its records look exactly like the first
 * sampler's.
 */
struct perf_event_attr event_attr_with_sideband(const struct perf_event_attr *sampler,
						const struct perf_event_attr *sideband);

/*
 * After "no such event": turns cycles into cpu-clock, which every machine has.
 * Returns false when the attr is not that of cycles, or wants what only a PMU has: branch stacks.
 */
bool event_attr_fall_back_to_clock(struct perf_event_attr *attr, bool idle);

/* Makes stack dumps and call chains of samples shorter than they are; does nothing where there are none. */
void event_attr_limit_dump(struct perf_event_attr *attr, uint32_t dump_bytes);
void event_attr_limit_stack(struct perf_event_attr *attr, unsigned int max_stack);

/* Byte offset of the time in every sample of such an attr, counted from the record's header. */
size_t event_attr_sample_time_offset(const struct perf_event_attr *attr);

/* Bytes of the sample_id trailer of the attr's records. */
size_t event_attr_sample_id_size(const struct perf_event_attr *attr);

#endif
