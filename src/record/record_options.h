#ifndef XPROF_RECORD_RECORD_OPTIONS_H
#define XPROF_RECORD_RECORD_OPTIONS_H

/* The command line of xprof record. */

#include "cli/option.h"
#include "record/event/event_cgroups.h"
#include "record/event/event_filter.h"
#include "record/event/sample_rate.h"
#include "record/recording.h"

/* Set by the option table. Texts are borrowed from the command line. */
struct record_options {
	struct option_strings events;
	struct event_filters filters;
	struct event_cgroups cgroup_lists;
	struct sample_rate rate;
	uint64_t period;
	struct call_graph call_graph;
	enum evidence_level evidence;
	uint64_t branch_filter;
	struct sample_clock clock;
	const char *output;
	const char *threads; /* --threads; NULL: as many as are needed */
	struct sampling_plan sampling;
	struct switch_condition switches;
	uint64_t max_bytes;
	const char *control;
	bool overwrite;
	unsigned int max_files;
	uint64_t off_cpu_period_ns; /* 0: not given */
	size_t ring_pages;
	bool compression_given;
	unsigned int compression_level;
	unsigned int realtime_priority;
	unsigned int verbose;
	bool system_wide, quiet, idle, no_inherit;
	bool sample_cpu, sample_period, user_callchains, kernel_callchains;
	const char *pids, *tids, *user, *cpus, *comms;
	struct sample_extras extras;
	bool all_user, all_kernel, one_group, strict_freq, exclude_self, dry_run, probe, timestamp_filename;
	bool no_samples, thread_stats, times;
	bool no_bpf, no_continue;
	bool data_mappings, context_switches, namespaces, cgroups;
};

extern const struct option record_option_table[];

#endif
