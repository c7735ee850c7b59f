#ifndef XPROF_RECORD_FACILITIES_H
#define XPROF_RECORD_FACILITIES_H

/*
 * The answers to all questions about what this machine and this user can do for a recording. They are asked by the functions that the
 * recorder itself uses: attr_feature, permission, procmap_query, kernel_symbols, cgroup_mount, perf_calls. See facility_report.h for what each
 * lack costs.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "record/machine/attr_feature.h"
#include "record/machine/cgroup_mount.h"
#include "record/machine/perf_calls.h"

struct facility_sources {
	const char *proc; /* "/proc"; a directory of its own in tests */
	const struct perf_calls *calls;
	const char *tracefs; /* where it is mounted; NULL: it is not */
	/* Can a BPF program copy stacks? -1 with the reason. */
	int (*try_stack_copies)(struct error *err);
};

struct facilities {
	/* errno of perf_event_open(), 0 where it succeeds: */
	int own_errno;    /* a clock in user space of this process */
	int kernel_errno; /* a clock in the kernel, too */
	int system_errno; /* a clock in any process on CPU 0 */
	int cycles_errno; /* the hardware counter, in user space */
	int branch_errno; /* the same with branch records */
	int feature_errno[ATTR_FEATURE_COUNT];
	bool has_procmap_query;
	bool shows_kernel_addresses;
	struct error no_stack_copies; /* message "": they can be copied */
	struct cgroup_mount cgroups;  /* version 0: none is mounted */
	const char *tracefs;          /* NULL: not mounted */
	bool reads_tracefs;
	int paranoid_level;
	bool has_perfmon;          /* CAP_PERFMON: that level does not matter */
	bool may_lock_all;         /* CAP_IPC_LOCK: locked memory is not limited */
	uint64_t mlock_cpu_bytes;  /* of rings, for each CPU: kernel.perf_event_mlock_kb */
	uint64_t mlock_user_bytes; /* beyond that, of all rings together: ulimit -l; UINT64_MAX: no limit */
	uint64_t max_sample_rate;  /* Hz */
	uint64_t max_stack;        /* frames that the kernel follows */
};

void facilities_ask(struct facilities *facilities, const struct facility_sources *sources);

#endif
