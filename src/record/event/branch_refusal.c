/*
 * The causes, the simplest first: it is a software event; there is no PMU; the PMU records no branches; AMD's
 * BRS needs a certain event; the CPU cannot filter branches this way. A PMU that keeps branches has a file
 * caps/branches in sysfs.
 */
#include "record/event/event_refusal.h"

#include <stdbool.h>
#include <stdio.h>
#include <unistd.h>

#include "base/strbuf.h"
#include "record/event/branch_probe.h"
#include "record/event/pmu.h"

/* The PMUs of CPUs, by architecture. On a machine with several kinds of core, the PMU of the first kind. */
static const char *const cpu_pmus[] = { "cpu", "cpu_core", "armv8_pmuv3_0", "armv8_pmuv3", "armv9_pmuv3" };

static const char *find_pmu(const char *directory)
{
	for (size_t i = 0; i < sizeof(cpu_pmus) / sizeof(cpu_pmus[0]); i++)
		if (pmu_exists(directory, cpu_pmus[i]))
			return cpu_pmus[i];
	return NULL;
}

static bool has_file(const char *directory, const char *pmu, const char *name)
{
	char path[512];

	snprintf(path, sizeof(path), "%s/%s/%s", directory, pmu, name);
	return access(path, F_OK) == 0;
}

static bool is_of_software(const struct perf_event_attr *attr)
{
	return attr->type == PERF_TYPE_SOFTWARE || attr->type == PERF_TYPE_TRACEPOINT ||
	       attr->type == PERF_TYPE_BREAKPOINT;
}

/* A remedy: other call stacks if branches were only meant for those, otherwise no -b. */
static const char *instead(const struct perf_event_attr *attr)
{
	return attr->branch_sample_type & PERF_SAMPLE_BRANCH_CALL_STACK ?
		       "use --call-graph auto for call stacks" :
		       "leave -b and -j out";
}

static int explain_kinds(const struct perf_event_attr *attr, const char *name, uint64_t refused_kinds,
			 const char *pmu, struct error *err)
{
	const bool call_stack = refused_kinds & PERF_SAMPLE_BRANCH_CALL_STACK;
	struct strbuf names = STRBUF_INIT;

	branch_probe_add_names(&names, refused_kinds);
	error_set(err,
		  "cannot open %s with branch stacks: the branches of PMU %s cannot be filtered by %s; %s",
		  name, pmu, refused_kinds ? names.bytes : "this combination",
		  call_stack ? "only Intel CPUs since Haswell can do that; use --call-graph auto for call "
			       "stacks" :
			       "try -b");
	strbuf_fini(&names);
	(void)attr;
	return -1;
}

int branch_refusal_explain(const struct perf_event_attr *attr, const char *name, uint64_t refused_kinds,
			   const char *directory, struct error *err)
{
	const char *pmu = find_pmu(directory);

	if (is_of_software(attr))
		return error_set(
			err,
			"cannot open %s with branch stacks: software events have none; try -e cycles, or %s",
			name, instead(attr));
	if (!pmu)
		return error_set(
			err,
			"cannot open %s with branch stacks: this machine has no hardware counters (a virtual "
			"machine?), so nothing records branches; %s",
			name, instead(attr));
	if (has_file(directory, pmu, "events/branch-brs"))
		return error_set(
			err,
			"cannot open %s with branch stacks: AMD BRS records them only with its own event, a "
			"fixed period and no filter; try -b -e cpu/branch-brs/ -c 1000003",
			name);
	if (!has_file(directory, pmu, "caps/branches") && refused_kinds)
		return error_set(
			err,
			"cannot open %s with branch stacks: PMU %s does not record branches: that needs a "
			"CPU with Intel LBR, AMD BRS or LBRv2, or Arm BRBE, and a kernel that supports it; %s",
			name, pmu, instead(attr));
	return explain_kinds(attr, name, refused_kinds, pmu, err);
}
