#ifndef XPROF_RECORD_CPU_CACHES_H
#define XPROF_RECORD_CPU_CACHES_H

/*
 * The CPUs' caches, and which CPUs share one: HEADER_CACHE (perf.data-file-format.txt), from
 * SYS/devices/system/cpu/cpuN/cache/indexM (Documentation/ABI/testing/sysfs-devices-system-cpu).
 */

#include <stdint.h>

#include "base/strbuf.h"

/* Appends the bytes of the section; nothing if sysfs lists no cache. */
void cpu_caches_make(struct strbuf *section, const char *sys, uint32_t cpus_available);

#endif
