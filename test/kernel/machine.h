#ifndef XPROF_TEST_KERNEL_MACHINE_H
#define XPROF_TEST_KERNEL_MACHINE_H

/* The played machines: which events their kernel opens, and the errnos with which it refuses the others. */

#include <linux/perf_event.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

enum {
	MACHINE_COUNTERS = 1 << 19, /* PERF_SAMPLE_BRANCH_COUNTERS; older headers lack it */
	/* Number of events that are counted between two branches, and the bits of each count: arch/x86/events/intel/lbr.c */
	MACHINE_COUNTERS_NUMBER = 4,
	MACHINE_COUNTERS_BITS = 2,
};

struct machine_pmu {
	const char *name; /* of its directory in /sys/bus/event_source/devices */
	uint32_t type;
	uint64_t cpus; /* a bit for each CPU that it is on */
};

struct machine {
	const char *name;
	struct machine_pmu pmus[2]; /* those with a name */
	unsigned int max_precise;
	size_t branch_entries;    /* 0 if it keeps no branches */
	uint64_t branch_bits;     /* bits of attr.branch_sample_type that it has */
	int branch_errno;         /* for other bits, and without entries */
	uint64_t branch_event;    /* config of the raw event that it needs for branches; 0: any event */
	bool branch_fixed_period; /* branches need a fixed period above the number of entries */
	uint64_t ignored_bits;    /* accepted, but without effect */
};

/* NULL if there is none with this name. */
const struct machine *machine_find(const char *name);

/* Returns 0, or the errno of perf_event_open(). */
int machine_refusal(const struct machine *machine, const struct perf_event_attr *attr, int cpu);

/* Whether it is a hardware event: neither software, tracepoint nor breakpoint. */
bool machine_is_hardware(const struct perf_event_attr *attr);

#endif
