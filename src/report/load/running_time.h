#ifndef XPROF_REPORT_LOAD_RUNNING_TIME_H
#define XPROF_REPORT_LOAD_RUNNING_TIME_H

/* Finds the running time of the recorded threads on CPUs, facts->running. */

#include "format/perf_file.h"
#include "profile/profile.h"
#include "profile/profile_facts.h"

/*
 * Call it after all other facts are set. The time stays unknown for recordings of whole CPUs and of cgroups,
 * of events other than clocks and cycles, without user or kernel time, and with missing samples (lost,
 * throttled, filtered, cut off).
 */
void running_time_find(struct profile_facts *facts, const struct perf_file *file,
		       const struct profile *profile);

#endif
