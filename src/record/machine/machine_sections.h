#ifndef XPROF_RECORD_MACHINE_SECTIONS_H
#define XPROF_RECORD_MACHINE_SECTIONS_H

/*
 * The bytes of the file's features about the machine's parts (perf.data-file-format.txt), from sysfs, which is mounted at `sys`.
 * Each function appends them, or nothing if sysfs has none.
 */

#include <stdint.h>

#include "base/strbuf.h"

/* --- cpu_topology.c: SYS/devices/system/cpu (Documentation/ABI/stable/sysfs-devices-system-cpu) --- */

/* The number of CPUs present, online or not: one more than the largest CPU number. */
uint32_t cpu_topology_available(const char *sys);

/* HEADER_CPU_TOPOLOGY: the CPUs that share a core, a die, a socket. */
void cpu_topology_make(struct strbuf *section, const char *sys, uint32_t cpus_available);

/* --- cpu_caches.c: SYS/devices/system/cpu/cpuN/cache/indexM (Documentation/ABI/testing/sysfs-devices-system-cpu) --- */

/* HEADER_CACHE: the CPUs' caches, and which CPUs share one. */
void cpu_caches_make(struct strbuf *section, const char *sys, uint32_t cpus_available);

/*
 * --- memory_nodes.c: SYS/devices/system/node (Documentation/ABI/stable/sysfs-devices-node,
 * Documentation/admin-guide/mm/memory-hotplug.rst) ---
 */

/* HEADER_NUMA_TOPOLOGY: memory and CPUs of each node; HEADER_MEM_TOPOLOGY: which blocks of physical memory are on which. */
void memory_nodes_make_numa(struct strbuf *section, const char *sys);
void memory_nodes_make_blocks(struct strbuf *section, const char *sys);

/* --- pmu_caps.c: SYS/bus/event_source/devices/PMU/caps: number of branches kept, precision, counters --- */

/* HEADER_CPU_PMU_CAPS and HEADER_PMU_CAPS: of the PMU "cpu", and of all others. Few virtual machines have any. */
void pmu_caps_make_cpu(struct strbuf *section, const char *sys);
void pmu_caps_make_others(struct strbuf *section, const char *sys);

#endif
