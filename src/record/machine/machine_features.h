#ifndef XPROF_RECORD_MACHINE_FEATURES_H
#define XPROF_RECORD_MACHINE_FEATURES_H

/*
 * The file's features about the machine's parts: CPU_TOPOLOGY, CACHE, NUMA_TOPOLOGY, MEM_TOPOLOGY,
 * PMU_MAPPINGS, CPU_PMU_CAPS and PMU_CAPS (tools/perf/Documentation/perf.data-file-format.txt).
 *
 * sysfs has a file for each number, some thirty a CPU, so this waits until sampling is over unless
 * the file has to have it in front (a pipe).
 */

#include "format/write/perf_writer.h"

/* Unknown facts are left out. `sys`: "/sys". */
void machine_features_set(struct perf_writer *writer, const char *sys);

/* The section of PMU_MAPPINGS: attr.type of each PMU in SYS/bus/event_source/devices. */
void machine_features_make_pmu_mappings(struct strbuf *section, const char *sys);

#endif
