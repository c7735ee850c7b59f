#ifndef XPROF_REPORT_LOAD_SAMPLE_OBSERVER_H
#define XPROF_REPORT_LOAD_SAMPLE_OBSERVER_H

/* For views that want more of a recording's samples than a profile keeps: sees each while it is loaded. */

#include "format/perf_features.h"
#include "format/sample.h"
#include "process/process_table.h"
#include "report/load/dump_unwinder.h"

/* Everything is borrowed for the length of the call. */
struct observed_sample {
	const struct sample *sample;
	uint64_t time_ns;                /* to ask the process table with */
	struct process_table *processes; /* with all that happened up to then */
	struct dump_unwinder *unwinder;
	const struct perf_features *features;
};

struct sample_observer {
	void (*see)(void *context,
		    const struct observed_sample *observed); /* a sample that is not left out */
	void (*restart)(void *context); /* the recording is loaded again, from its first sample on */
	void *context;
};

#endif
