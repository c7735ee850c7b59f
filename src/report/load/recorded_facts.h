#ifndef XPROF_REPORT_LOAD_RECORDED_FACTS_H
#define XPROF_REPORT_LOAD_RECORDED_FACTS_H

/* Reads what a perf.data file says about itself into facts for views. */

#include "format/perf_file.h"
#include "process/process_table.h"
#include "profile/profile.h"
#include "profile/profile_facts.h"

/*
 * Call it after the last record, because a pipe has features at its end. The facts are copied, the file may
 * be closed afterwards.
 */
void recorded_facts_learn(struct profile_facts *facts, const struct perf_file *file);

/* The last names of the profile's threads. */
void recorded_facts_learn_threads(struct profile_facts *facts, struct profile *profile,
				  struct process_table *processes);

#endif
