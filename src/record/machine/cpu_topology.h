#ifndef XPROF_RECORD_CPU_TOPOLOGY_H
#define XPROF_RECORD_CPU_TOPOLOGY_H

/*
 * The CPUs that share a core, a die, a socket: HEADER_NRCPUS and HEADER_CPU_TOPOLOGY
 * (perf.data-file-format.txt), from SYS/devices/system/cpu
 * (Documentation/ABI/stable/sysfs-devices-system-cpu).
 */

#include <stdint.h>

#include "base/strbuf.h"

/* One more than the largest number of a CPU that is there, online or not. */
uint32_t cpu_topology_available(const char *sys);

/* Appends the section's bytes for that many CPUs; nothing where sysfs tells of none. */
void cpu_topology_make(struct strbuf *section, const char *sys, uint32_t cpus_available);

#endif
