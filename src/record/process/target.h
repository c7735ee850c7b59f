#ifndef XPROF_RECORD_TARGET_H
#define XPROF_RECORD_TARGET_H

/*
 * The target of a recording: threads × CPUs. A recording of the whole system (or of some CPUs) has "any thread". If only some
 * CPUs are sampled, the others are in the target, too: a process on a sampled CPU may have been started, or may have mapped
 * files, on another.
 */

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "base/error.h"

struct target_request { /* texts of the options, as typed; NULL: not given */
	bool system_wide;
	const char *pids; /* "17,nginx" */
	const char *tids; /* "17,18" */
	const char *user; /* a name or a number */
	const char *cpus; /* "0,2-3" */
};

struct target_thread {
	pid_t pid; /* its process; -1: any */
	pid_t tid; /* -1: any */
};

struct target {
	struct target_thread *threads;
	size_t thread_count, thread_capacity;
	int *cpus;                                  /* online CPUs, ascending; then offline CPUs, ascending */
	size_t cpu_count, away_count, cpu_capacity; /* online, offline */
	int *sampled_cpus;                          /* of the request, ascending; NULL: all are sampled */
	size_t sampled_count;
	bool any_thread; /* `threads` has one entry, -1 */
};

struct target_roots { /* "/proc" and "/sys"; tests use other directories */
	const char *proc, *sys;
};
extern const struct target_roots target_roots_system;

/*
 * Finds the threads and CPUs of a request. Without pids, tids, user, cpus and system_wide the target has no
 * threads yet: add the workload with target_add_thread(). Threads are sorted by process and number. A thread
 * that ends meanwhile is left out; a pid that does not exist is an error. Returns 0, or -1 with err.
 */
int target_resolve(struct target *target, const struct target_request *request,
		   const struct target_roots *roots, struct error *err);
void target_add_thread(struct target *target, pid_t pid, pid_t tid);
void target_fini(struct target *target);

/*
 * Does `now`, the same request resolved again, have threads that `before` lacks? A thread that began after
 * its process was listed but before the events of its creator were opened is not in `before` and does not
 * inherit events.
 */
bool target_has_grown(const struct target *before, const struct target *now);

/* Is the CPU in the target, and online? */
bool target_has_cpu(const struct target *target, int cpu);

/* Is the CPU sampled, once it is online? The other CPUs only report processes and their mappings. */
bool target_samples_cpu(const struct target *target, int cpu);

/* Number of CPUs that are sampled from the start. */
size_t target_sampled_count(const struct target *target);

/* Sets the CPUs of the target from a list such as "0-3,6". Returns 0, or -1 with err. */
int target_parse_cpus(struct target *target, const char *list, struct error *err);

/* Calls visit for each thread of a process. Returns 0, or -1 with errno if the process is gone. */
int target_each_thread(const char *proc, pid_t pid, void (*visit)(pid_t pid, pid_t tid, void *context),
		       void *context);

/* Calls visit for each process of the machine. Returns 0, or -1 with err if `proc` cannot be read. */
int target_each_process(const char *proc, void (*visit)(pid_t pid, void *context), void *context,
			struct error *err);

#endif
