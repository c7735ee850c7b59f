#ifndef XPROF_RECORD_MEMORY_NODES_H
#define XPROF_RECORD_MEMORY_NODES_H

/*
 * NUMA nodes: their memory and CPUs (HEADER_NUMA_TOPOLOGY), and which blocks of physical memory are
 * on which (HEADER_MEM_TOPOLOGY), from SYS/devices/system/node
 * (Documentation/ABI/stable/sysfs-devices-node, Documentation/admin-guide/mm/memory-hotplug.rst).
 */

#include "base/strbuf.h"

/* Append the bytes of HEADER_NUMA_TOPOLOGY and HEADER_MEM_TOPOLOGY; nothing if sysfs lists no nodes. */
void memory_nodes_make_numa(struct strbuf *section, const char *sys);
void memory_nodes_make_blocks(struct strbuf *section, const char *sys);

#endif
