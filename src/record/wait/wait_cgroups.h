#ifndef XPROF_RECORD_WAIT_WAIT_CGROUPS_H
#define XPROF_RECORD_WAIT_WAIT_CGROUPS_H

/* -G for time off the CPU: the cgroups of the recording's events, as the BPF programs know them. */

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
 * All cgroups that the events have; none if one of the events is of any cgroup. Mounts are those in PROC/mounts. -1 with err
 * where a cgroup is not there, or where cgroups of version 1 are those of perf events, which the programs do not know.
 */
int wait_cgroups_find(struct wait_cgroups *cgroups, const struct event_specs *events, const char *proc,
		      struct error *err);

#endif
