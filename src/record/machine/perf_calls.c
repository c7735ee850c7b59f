/* The real system calls, which are repeated if a signal interrupts them. */
#include "record/machine/perf_calls.h"

#include <errno.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

static int open_event(const struct perf_event_attr *attr, pid_t pid, int cpu, int group_fd,
		      unsigned long flags)
{
	long fd;

	fd = TEMP_FAILURE_RETRY(syscall(SYS_perf_event_open, attr, pid, cpu, group_fd, flags));
	return (int)fd;
}

static void *map_ring(size_t bytes, int protection, int fd)
{
	return mmap(NULL, bytes, protection, MAP_SHARED, fd, 0);
}

const struct perf_calls perf_calls_system = { .open = open_event, .map = map_ring };
