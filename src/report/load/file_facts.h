#ifndef XPROF_REPORT_LOAD_FILE_FACTS_H
#define XPROF_REPORT_LOAD_FILE_FACTS_H

/* Facts from a recording's features that symbol lookups need: build-ids and the machine. */

#include <stdbool.h>

#include "format/perf_file.h"
#include "process/process_table.h"

/*
 * Adds the entries of HEADER_BUILD_ID that are of the host. A pipe has them at its end, so it may be called
 * twice.
 */
void file_facts_learn_build_ids(const struct perf_file *file, struct process_table *processes);

/*
 * Was it recorded on this host with this kernel release? Decides for a recording without a build-id of its
 * kernel.
 */
bool file_facts_is_this_machine(const struct perf_file *file);

/* Are its times of CLOCK_MONOTONIC (record -k monotonic), as in jitdump files? */
bool file_facts_clock_is_monotonic(const struct perf_file *file);

#endif
