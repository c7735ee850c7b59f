#ifndef XPROF_RECORD_DRAIN_PLAN_H
#define XPROF_RECORD_DRAIN_PLAN_H

/*
 * The rings that are read together, by one thread: --threads. A lane has the rings of some CPUs, and its thread runs on
 * these CPUs, near the memory of their rings.
 */

#include <sched.h>
#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"

enum {
	DRAIN_PLAN_MAX_LANES = 64, /* each unwinds with tables of its own, some MB */
};

struct drain_plan {
	size_t lane_count;
	size_t *lane_of_ring; /* rings of a CPU that no lane was given to belong to lane 0 */
	cpu_set_t *cpus;      /* of each lane; CPUs above CPU_SETSIZE are left out */
	bool at_once;         /* several threads from the beginning, not only when one does not suffice */
};

/* Is it "cpu", "core", "package", "numa", or CPUS[/CPUS][:...], as perf has it? -1 with err. */
int drain_spec_check(const char *spec, struct error *err);

/*
 * For rings of these CPUs. `spec` NULL: a lane for each NUMA node, and of a large node one for each DRAIN_CPUS_OF_A_LANE,
 * not at once. `sys`: the root of sysfs; a machine that does not tell its topology is one node.
 */
void drain_plan_make(struct drain_plan *plan, const char *spec, const int *cpus, size_t cpu_count,
		     const char *sys);
void drain_plan_fini(struct drain_plan *plan);

#endif
