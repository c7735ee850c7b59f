#ifndef XPROF_RECORD_WAIT_WAIT_CGROUPS_H
#define XPROF_RECORD_WAIT_WAIT_CGROUPS_H

/* -G for time off the CPU: the cgroups of the recording's events, by the ids that the BPF programs use. */

#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "record/bpf/off_cpu_record.h"
#include "record/event/event_spec.h"

struct wait_cgroups {
	uint64_t ids[OFF_CPU_CGROUPS];
	size_t count; /* 0: threads of any cgroup are recorded */
};

/*
 * Collects the cgroups of all events; none if any event is not limited to a cgroup. Mounts are read from PROC/mounts. Returns
 * 0, or -1 with err if a cgroup does not exist, or if perf events use cgroups of version 1, which the programs do not know.
 */
int wait_cgroups_find(struct wait_cgroups *cgroups, const struct event_specs *events, const char *proc,
		      struct error *err);

#endif
