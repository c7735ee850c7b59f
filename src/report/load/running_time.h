#ifndef XPROF_REPORT_LOAD_RUNNING_TIME_H
#define XPROF_REPORT_LOAD_RUNNING_TIME_H

/* For how long what was recorded ran: facts->running. */

#include "format/perf_file.h"
#include "profile/profile.h"
#include "profile/profile_facts.h"

/*
 * After all other facts. It stays unknown where the file does not tell: of whole CPUs and of cgroups, of other events than
 * clocks and cycles, where user or kernel time is left out, and where samples are missing: lost, throttled, filtered, cut
 * off.
 */
void running_time_find(struct profile_facts *facts, const struct perf_file *file,
		       const struct profile *profile);

#endif
