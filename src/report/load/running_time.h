#ifndef XPROF_REPORT_LOAD_RUNNING_TIME_H
#define XPROF_REPORT_LOAD_RUNNING_TIME_H

/*
 * For how long what was recorded ran on a CPU, and how long it was there: samples are of running time alone, so that a
 * command which waits most of its time looks as if it did nothing else than its little work.
 */

#include <stdbool.h>
#include <stdint.h>

#include "format/perf_file.h"
#include "report/load/profile_loader.h"

struct running_time {
	double running_s; /* of all threads together; if is_bound, at most that */
	double span_s;    /* from the first sign of it to the last */
	uint32_t threads; /* that were sampled */
	bool of_command; /* of a command from its start; else of processes or threads that were there before */
	bool is_estimate; /* out of the rate of samples: the events count cycles, not time */
	bool is_bound;    /* the samples are too few to tell whether the machine's timers keep up */
};

/*
 * 1, or 0 where the file does not tell: of whole CPUs and of cgroups, of other events than clocks and cycles, where user
 * or kernel time is left out, and where samples are missing: lost, throttled, filtered, cut off.
 */
int running_time_find(struct running_time *time, const struct perf_file *file,
		      const struct loaded_profile *loaded);

/* Certainly less than half of one CPU? */
bool running_time_mostly_waited(const struct running_time *time);

#endif
