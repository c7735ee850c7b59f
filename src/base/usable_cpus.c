/* Asks for the affinity mask first, because containers and taskset(1) often allow fewer CPUs than are online. */
#include "base/usable_cpus.h"

#include <sched.h>
#include <unistd.h>

size_t usable_cpus(void)
{
	cpu_set_t cpus;
	long online;

	if (sched_getaffinity(0, sizeof(cpus), &cpus) == 0)
		return (size_t)CPU_COUNT(&cpus);
	/* The kernel supports more CPUs than the set has room for. */
	online = sysconf(_SC_NPROCESSORS_ONLN);
	return online > 0 ? (size_t)online : 1;
}
