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
	struct recording_plan
		plan; /* events, workload and what follows from several options are filled in later */
	struct option_strings events;
	struct event_filters filters;
	struct event_cgroups cgroup_lists;
	struct sample_rate rate;
	unsigned int verbose;
	bool quiet;
	bool all_user, all_kernel, one_group, strict_freq, exclude_self, dry_run, probe, timestamp_filename;
};

extern const struct option record_option_table[];

#endif
