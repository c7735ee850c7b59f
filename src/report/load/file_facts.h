#ifndef XPROF_REPORT_LOAD_FILE_FACTS_H
#define XPROF_REPORT_LOAD_FILE_FACTS_H

/* The facts in a recording's features that symbol lookups need: build-ids and the machine. */

#include <stdbool.h>

#include "format/perf_file.h"
#include "process/process_table.h"

/* HEADER_BUILD_ID's entries of the host. In a pipe they come last, so it may be called twice. */
void file_facts_learn_build_ids(const struct perf_file *file, struct process_table *processes);

/* Where a recording names no build-id of its kernel, the same host with the same kernel release has to do. */
bool file_facts_is_this_machine(const struct perf_file *file);

/* Are its times those of CLOCK_MONOTONIC (record -k monotonic)? Jitdump files have them, too. */
bool file_facts_clock_is_monotonic(const struct perf_file *file);

/* Has it hardware traces (Intel PT, CoreSight, SPE)? */
bool file_facts_has_hardware_traces(const struct perf_file *file);

#endif
