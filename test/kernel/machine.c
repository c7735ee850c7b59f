/*
 * Features and errnos are those of the drivers: arch/x86/events/intel/lbr.c (intel_pmu_setup_lbr_filter), amd/brs.c
 * (amd_brs_setup_filter, amd_brs_hw_config), amd/lbr.c (amd_pmu_lbr_setup_filter) and drivers/perf/arm_brbe.c.
 */
#include "kernel/machine.h"

#include <errno.h>
#include <string.h>

#define LEVELS (PERF_SAMPLE_BRANCH_USER | PERF_SAMPLE_BRANCH_KERNEL)
#define KINDS                                                                                   \
	(PERF_SAMPLE_BRANCH_ANY | PERF_SAMPLE_BRANCH_ANY_CALL | PERF_SAMPLE_BRANCH_ANY_RETURN | \
	 PERF_SAMPLE_BRANCH_IND_CALL | PERF_SAMPLE_BRANCH_COND | PERF_SAMPLE_BRANCH_IND_JUMP |  \
	 PERF_SAMPLE_BRANCH_CALL)
#define TRANSACTIONS (PERF_SAMPLE_BRANCH_ABORT_TX | PERF_SAMPLE_BRANCH_IN_TX | PERF_SAMPLE_BRANCH_NO_TX)
#define FIELDS (PERF_SAMPLE_BRANCH_NO_FLAGS | PERF_SAMPLE_BRANCH_NO_CYCLES | PERF_SAMPLE_BRANCH_TYPE_SAVE)
#define HW_INDEX (1 << 17)               /* PERF_SAMPLE_BRANCH_HW_INDEX */
#define PRIV_SAVE (1 << 18)              /* PERF_SAMPLE_BRANCH_PRIV_SAVE */
#define HYPERVISOR PERF_SAMPLE_BRANCH_HV /* x86 accepts and ignores it */
#define INTEL (LEVELS | HYPERVISOR | KINDS | TRANSACTIONS | FIELDS | HW_INDEX | PRIV_SAVE)
#define CALL_STACK PERF_SAMPLE_BRANCH_CALL_STACK
#define X86_CPU                            \
	{                                  \
		"cpu", PERF_TYPE_RAW, 0xff \
	}

static const struct machine machines[] = {
	{ "none", .branch_errno = EOPNOTSUPP },
	{ "pmu", { X86_CPU }, .max_precise = 3, .branch_errno = EOPNOTSUPP },
	{ "intel-lbr8", { X86_CPU }, 2, 8, INTEL, EOPNOTSUPP, 0, false, 0 },
	{ "intel-lbr16", { X86_CPU }, 2, 16, INTEL, EOPNOTSUPP, 0, false, 0 },
	{ "intel-lbr16-stack", { X86_CPU }, 3, 16, INTEL | CALL_STACK, EOPNOTSUPP, 0, false, 0 },
	{ "intel-lbr32", { X86_CPU }, 3, 32, INTEL | CALL_STACK, EOPNOTSUPP, 0, false, 0 },
	{ "intel-lbr32-counters",
	  { X86_CPU },
	  3,
	  32,
	  INTEL | CALL_STACK | MACHINE_COUNTERS,
	  EOPNOTSUPP,
	  0,
	  false,
	  0 },
	{ "intel-hybrid",
	  { { "cpu_core", PERF_TYPE_RAW, 1 }, { "cpu_atom", 10, 2 } },
	  3,
	  32,
	  INTEL | CALL_STACK,
	  EOPNOTSUPP,
	  0,
	  false,
	  0 },
	{ "amd-brs", { X86_CPU }, 0, 16, LEVELS | HYPERVISOR | PERF_SAMPLE_BRANCH_ANY, EINVAL, 0xc4, true, 0 },
	{ "amd-lbrv2",
	  { X86_CPU },
	  0,
	  16,
	  LEVELS | HYPERVISOR | KINDS | PERF_SAMPLE_BRANCH_TYPE_SAVE | HW_INDEX | PRIV_SAVE,
	  EOPNOTSUPP,
	  0,
	  false,
	  MACHINE_COUNTERS },
	{ "arm-brbe",
	  { { "armv8_pmuv3_0", 8, 0xff } },
	  0,
	  32,
	  LEVELS | PERF_SAMPLE_BRANCH_HV | KINDS | FIELDS | HW_INDEX | PRIV_SAVE,
	  EOPNOTSUPP,
	  0,
	  false,
	  0 },
};

const struct machine *machine_find(const char *name)
{
	for (size_t i = 0; i < sizeof(machines) / sizeof(machines[0]); i++)
		if (strcmp(machines[i].name, name) == 0)
			return &machines[i];
	return NULL;
}

bool machine_is_hardware(const struct perf_event_attr *attr)
{
	return attr->type != PERF_TYPE_SOFTWARE && attr->type != PERF_TYPE_TRACEPOINT &&
	       attr->type != PERF_TYPE_BREAKPOINT;
}

/* A generic event may name its PMU in the upper half of config; otherwise it belongs to the first. */
static const struct machine_pmu *pmu_of(const struct machine *machine, const struct perf_event_attr *attr)
{
	const bool generic = attr->type == PERF_TYPE_HARDWARE || attr->type == PERF_TYPE_HW_CACHE;
	const uint32_t type = generic ? (uint32_t)(attr->config >> 32) : attr->type;

	if (generic && type == 0)
		return machine->pmus[0].name ? &machine->pmus[0] : NULL;
	for (size_t i = 0; i < 2; i++)
		if (machine->pmus[i].name && machine->pmus[i].type == type)
			return &machine->pmus[i];
	return NULL;
}

static int branch_refusal(const struct machine *machine, const struct perf_event_attr *attr)
{
	const uint64_t bits = attr->branch_sample_type;

	if (bits >> 20 || !(bits & ~(uint64_t)(LEVELS | PERF_SAMPLE_BRANCH_HV)))
		return EINVAL; /* perf_copy_attr() */
	if (!machine_is_hardware(attr) || machine->branch_entries == 0)
		return EOPNOTSUPP;
	if (bits & ~(machine->branch_bits | machine->ignored_bits))
		return machine->branch_errno;
	if (machine->branch_event && (attr->type != PERF_TYPE_RAW || attr->config != machine->branch_event))
		return EINVAL;
	if (machine->branch_fixed_period && (attr->freq || attr->sample_period <= machine->branch_entries))
		return EINVAL;
	return 0;
}

int machine_refusal(const struct machine *machine, const struct perf_event_attr *attr, int cpu)
{
	if (machine_is_hardware(attr)) {
		const struct machine_pmu *pmu = pmu_of(machine, attr);

		if (!pmu || (cpu >= 0 && !(pmu->cpus >> cpu & 1)))
			return ENOENT;
		if (attr->precise_ip > machine->max_precise)
			return EOPNOTSUPP;
	}
	return attr->sample_type & PERF_SAMPLE_BRANCH_STACK ? branch_refusal(machine, attr) : 0;
}
