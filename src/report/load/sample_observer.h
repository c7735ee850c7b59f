#ifndef XPROF_REPORT_LOAD_SAMPLE_OBSERVER_H
#define XPROF_REPORT_LOAD_SAMPLE_OBSERVER_H

/*
 * A callback for views that need more of each sample than a profile keeps; called while the recording is
 * loaded.
 */

#include "format/perf_features.h"
#include "format/sample.h"
#include "process/process_table.h"
#include "report/load/dump_unwinder.h"

/* Everything is borrowed for the length of the call. */
struct observed_sample {
	const struct sample *sample;
	uint64_t time_ns;                /* for look-ups in the process table */
	struct process_table *processes; /* its state up to that time */
	struct dump_unwinder *unwinder;
	const struct perf_features *features;
};

struct sample_observer {
	/* Called for each sample that is kept. */
	void (*see)(void *context, const struct observed_sample *observed);
	void (*restart)(void *context); /* loading begins again with the first sample */
	void *context;
};

#endif
