#ifndef XPROF_RECORD_TARGET_H
#define XPROF_RECORD_TARGET_H

/*
 * The target of a recording: threads × CPUs. An event is opened for every pair. A recording of the whole
 * system (or of some CPUs) has "any thread", one of threads has every online CPU.
 */

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "base/error.h"

struct target_request { /* the options, as typed; NULL: not given */
	bool system_wide;
	const char *pids; /* "17,nginx" */
	const char *tids; /* "17,18" */
	const char *user; /* a name or a number */
	const char *cpus; /* "0,2-3" */
};

struct target_thread {
	pid_t pid; /* of its process; -1: any */
	pid_t tid; /* -1: any */
};

struct target {
	struct target_thread *threads;
	size_t thread_count, thread_capacity;
	int *cpus; /* ascending; behind them, ascending, those that are offline but may come */
	size_t cpu_count, away_count, cpu_capacity;
	bool any_thread; /* threads is the one entry -1 */
};

struct target_roots { /* "/proc" and "/sys"; directories of their own in tests */
	const char *proc, *sys;
};
extern const struct target_roots target_roots_system;

/*
 * Does not look at the workload: without pids, tids, user, cpus and system_wide
 * the target has no threads yet, see target_add_thread(). Threads are sorted by process and number. A thread that ends
 * while its process is being listed is left out; a pid that is not there at all
 * is an error.
 */
int target_resolve(struct target *target, const struct target_request *request,
		   const struct target_roots *roots, struct error *err);
void target_add_thread(struct target *target, pid_t pid, pid_t tid);
void target_fini(struct target *target);

/*
 * Whether a target, asked for again, has threads that it did not have before. One that began between the listing
 * of its process and the opening of its creator's events is in neither: inheritance does not reach it.
 */
bool target_has_grown(const struct target *before, const struct target *now);

/* Not those that are offline. */
bool target_has_cpu(const struct target *target, int cpu);

/* "0-3,6" into ascending numbers. */
int target_parse_cpus(struct target *target, const char *list, struct error *err);

/* Calls visit for each thread of a process; -1 (errno) when the process is gone. */
int target_each_thread(const char *proc, pid_t pid, void (*visit)(pid_t pid, pid_t tid, void *context),
		       void *context);

/* Calls visit for each process of the machine; -1 with err when proc cannot be read. */
int target_each_process(const char *proc, void (*visit)(pid_t pid, void *context), void *context,
			struct error *err);

#endif
