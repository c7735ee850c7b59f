#ifndef XPROF_RECORD_PERF_CALLS_H
#define XPROF_RECORD_PERF_CALLS_H

/*
 * The two system calls that open events and map rings. Tests replace them with functions that answer as other
 * kernels would.
 */

#include <linux/perf_event.h>
#include <stddef.h>
#include <sys/types.h>

struct perf_calls {
	/* perf_event_open(2): a descriptor, or -1 with errno. */
	int (*open)(const struct perf_event_attr *attr, pid_t pid, int cpu, int group_fd,
		    unsigned long flags);
	/* mmap(2), shared: the address, or MAP_FAILED with errno. `protection`: PROT_READ, with PROT_WRITE if it is written. */
	void *(*map)(size_t bytes, int protection, int fd);
};

extern const struct perf_calls perf_calls_system;

#endif
