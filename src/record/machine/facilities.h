#ifndef XPROF_RECORD_FACILITIES_H
#define XPROF_RECORD_FACILITIES_H

/*
 * Everything that this machine permits this user to record. The answers come from the functions that the recorder itself
 * uses: attr_feature, permission, procmap_query, kernel_symbols, cgroup_mount, perf_calls. facility_report.c
 * says what a missing facility costs.
 */

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "base/strbuf.h"
#include "record/machine/attr_feature.h"
#include "record/machine/cgroup_mount.h"
#include "record/machine/perf_calls.h"

struct facility_sources {
	const char *proc; /* "/proc"; tests use another directory */
	const struct perf_calls *calls;
	const char *tracefs; /* its mount point; NULL: not mounted */
	/* Can a BPF program copy stacks? Returns 0, or -1 with the reason. */
	int (*try_stack_copies)(struct error *err);
	/* Can BPF programs time waits? Returns the same, or 1: yes, but user stacks are copied at the end of system calls. */
	int (*try_waits)(struct error *err);
};

struct facilities {
	/* errno of perf_event_open() for these events, 0 if it succeeds: */
	int own_errno;    /* a clock in user space of this process */
	int kernel_errno; /* the same clock, kernel included */
	int system_errno; /* a clock in any process on CPU 0 */
	int cycles_errno; /* the hardware counter, in user space */
	int branch_errno; /* the same with branch records */
	bool has_brs;     /* no, but AMD BRS has them with its own event */
	int feature_errno[ATTR_FEATURE_COUNT];
	bool has_procmap_query;
	bool shows_kernel_addresses;
	struct error no_stack_copies; /* why stacks cannot be copied; message "": they can */
	struct error no_waits;        /* likewise, why waits cannot be timed */
	bool copies_at_exit;          /* waits can be timed, but without task work */
	struct cgroup_mount cgroups;  /* version 0: not mounted */
	const char *tracefs;          /* NULL: not mounted */
	bool reads_tracefs;
	int paranoid_level;
	bool has_perfmon;          /* CAP_PERFMON: paranoid_level does not matter */
	bool may_lock_all;         /* CAP_IPC_LOCK: locked memory is not limited */
	uint64_t mlock_cpu_bytes;  /* limit of rings per CPU: kernel.perf_event_mlock_kb */
	uint64_t mlock_user_bytes; /* further limit of all rings together: ulimit -l; UINT64_MAX: none */
	uint64_t max_sample_rate;  /* Hz */
	uint64_t max_stack;        /* frames in a call chain of the kernel */
};

void facilities_ask(struct facilities *facilities, const struct facility_sources *sources);

/*
 * For 'xprof record --probe': appends a line for each facility, "yes  NAME: VALUE" or "no   NAME: what it costs", and the remedy
 * of a missing one.
 */
void facility_report_add(struct strbuf *out, const struct facilities *facilities);

#endif
