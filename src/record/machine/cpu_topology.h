#ifndef XPROF_RECORD_CPU_TOPOLOGY_H
#define XPROF_RECORD_CPU_TOPOLOGY_H

/*
 * The CPUs that share a core, a die, a socket: HEADER_NRCPUS and HEADER_CPU_TOPOLOGY
 * (perf.data-file-format.txt), from SYS/devices/system/cpu
 * (Documentation/ABI/stable/sysfs-devices-system-cpu).
 */

#include <stdint.h>

#include "base/strbuf.h"

/* The number of CPUs present, online or not: one more than the largest CPU number. */
uint32_t cpu_topology_available(const char *sys);

/* Appends the bytes of HEADER_CPU_TOPOLOGY for that many CPUs; nothing if sysfs lists no CPU. */
void cpu_topology_make(struct strbuf *section, const char *sys, uint32_t cpus_available);

#endif
