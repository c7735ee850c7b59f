#ifndef XPROF_RECORD_DRAIN_PLAN_H
#define XPROF_RECORD_DRAIN_PLAN_H

/*
 * Divides the rings among reading threads (--threads). A lane is one thread and the rings that it reads:
 * those of some CPUs, on which the thread runs, too, because the memory of the rings is near them.
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
	size_t *lane_of_ring; /* by ring number; 0 for rings of CPUs that no lane names */
	cpu_set_t *cpus;      /* one set for each lane; CPUs from CPU_SETSIZE on are left out */
	bool at_once;         /* start all threads at the beginning, not only when one is too slow */
};

/*
 * Checks an argument of --threads: "cpu", "core", "package", "numa", or CPUS[/CPUS][:...] as in perf. Returns
 * 0, or -1 with err.
 */
int drain_spec_check(const char *spec, struct error *err);

/*
 * Makes the plan for one ring on each of `cpus`. `spec` was checked by drain_spec_check(). If it is NULL,
 * each NUMA node gets a lane, a large node one for every 32 CPUs, and they start only when one thread is too
 * slow. `sys` is the root of sysfs; without topology in it the machine counts as one node.
 */
void drain_plan_make(struct drain_plan *plan, const char *spec, const int *cpus, size_t cpu_count,
		     const char *sys);
void drain_plan_fini(struct drain_plan *plan);

#endif
