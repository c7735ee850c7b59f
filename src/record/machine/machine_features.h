#ifndef XPROF_RECORD_MACHINE_FEATURES_H
#define XPROF_RECORD_MACHINE_FEATURES_H

/*
 * The file's features about the machine's parts: CPU_TOPOLOGY, CACHE, NUMA_TOPOLOGY, MEM_TOPOLOGY,
 * PMU_MAPPINGS, CPU_PMU_CAPS and PMU_CAPS (tools/perf/Documentation/perf.data-file-format.txt).
 *
 * sysfs has a file for each number, some thirty per CPU, so they are read when sampling is over, or
 * before it begins if the output is a pipe, in which features come first.
 */

#include "format/write/perf_writer.h"

/* Sets the features. `sys` is "/sys". Unknown facts are left out. */
void machine_features_set(struct perf_writer *writer, const char *sys);

/* Appends the bytes of PMU_MAPPINGS: attr.type and name of each PMU in SYS/bus/event_source/devices. */
void machine_features_make_pmu_mappings(struct strbuf *section, const char *sys);

#endif
